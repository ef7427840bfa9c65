//! A store of objects in memory: the part of the protocols of Amazon S3 and of a web server that reading needs.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Objects by `bucket/key`.
type Objects = BTreeMap<String, Bytes>;

/// A server at a free port. It ends with this value.
pub(crate) struct Store {
    pub(crate) address: SocketAddr,
    requests: Arc<AtomicUsize>,
    _runtime: Runtime,
}

impl Store {
    /// Starts a server of local files: pairs of `bucket/key` and a path.
    pub(crate) fn start(files: &[(&str, String)]) -> Self {
        let read = |(name, path): &(&str, String)| ((*name).to_owned(), std::fs::read(path).unwrap().into());
        let objects: Arc<Objects> = Arc::new(files.iter().map(read).collect());
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (objects, count) = (Arc::clone(&objects), Arc::clone(&count));
                let service = service_fn(move |request| {
                    count.fetch_add(1, Ordering::Relaxed);
                    let response = answer(&objects, &request);
                    async move { Ok::<_, Infallible>(response) }
                });
                // A client that goes away is no fault of the server.
                tokio::spawn(async move {
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.ok()
                });
            }
        });
        Self { address, requests, _runtime: runtime }
    }

    /// Returns the number of requests so far.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Returns the environment in which the program reads `s3://` from this store.
    pub(crate) fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_ACCESS_KEY_ID", "key".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
        ]
    }
}

fn answer(objects: &Objects, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let path = request.uri().path().trim_start_matches('/').replace("%20", " ");
    if let Some(query) = request.uri().query().filter(|query| query.contains("list-type=2")) {
        return Response::new(Full::from(listing(objects, &path, &parameter(query, "prefix").unwrap_or_default())));
    }
    let Some(object) = objects.get(&path) else { return status(StatusCode::NOT_FOUND) };
    let range = request.headers().get("range").map(|range| bounds(range.to_str().unwrap(), object.len()));
    let (start, end) = range.unwrap_or((0, object.len()));
    let mut response = Response::builder()
        .status(if range.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK })
        .header("last-modified", "Wed, 01 Jul 2026 00:00:00 GMT")
        .header("etag", "\"1\"")
        .header("content-length", end - start);
    if range.is_some() {
        response = response.header("content-range", format!("bytes {start}-{}/{}", end - 1, object.len()));
    }
    let body = if request.method() == Method::HEAD { Bytes::new() } else { object.slice(start..end) };
    response.body(Full::new(body)).unwrap()
}

fn status(code: StatusCode) -> Response<Full<Bytes>> {
    Response::builder().status(code).body(Full::default()).unwrap()
}

/// Returns the bounds of `bytes=1-2`, `bytes=1-` or `bytes=-2`. The end is excluded.
fn bounds(range: &str, length: usize) -> (usize, usize) {
    let (start, end) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    match (start.parse::<usize>(), end.parse::<usize>()) {
        (Ok(start), Ok(end)) => (start, (end + 1).min(length)),
        (Ok(start), Err(_)) => (start, length),
        (Err(_), end) => (length - end.unwrap(), length),
    }
}

fn parameter(query: &str, name: &str) -> Option<String> {
    url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Returns the objects of a bucket whose keys begin with `prefix`, as `ListObjectsV2` does.
fn listing(objects: &Objects, bucket: &str, prefix: &str) -> String {
    let start = format!("{}/{prefix}", bucket.trim_end_matches('/'));
    let mut xml = "<ListBucketResult><IsTruncated>false</IsTruncated>".to_owned();
    for (name, object) in objects.iter().filter(|(name, _)| name.starts_with(&start)) {
        let (_, key) = name.split_once('/').unwrap();
        let size = object.len();
        let date = "2026-07-01T00:00:00.000Z";
        write!(xml, "<Contents><Key>{key}</Key><LastModified>{date}</LastModified><ETag>\"1\"</ETag><Size>{size}</Size></Contents>").unwrap();
    }
    xml + "</ListBucketResult>"
}
