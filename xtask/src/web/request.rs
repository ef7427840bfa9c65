//! Answers requests for the files of one folder.

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::{Component, Path, PathBuf};

use super::mime::media_type;

/// Longest request line and header. A longer one is refused.
const MAX_LINE: u64 = 16 * 1024;

/// Most headers of a request.
const MAX_HEADERS: usize = 100;

/// Reads one request and writes its answer. The connection ends with it.
pub(super) fn answer(folder: &Path, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let Some(line) = read_request(input)? else {
        return head(&mut output, "400 Bad Request", None, 0);
    };
    let mut words = line.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    if method != "GET" && method != "HEAD" {
        return head(&mut output, "405 Method Not Allowed", None, 0);
    }
    match find(folder, target).and_then(|path| Some((fs::read(&path).ok()?, path))) {
        Some((content, path)) => {
            head(&mut output, "200 OK", Some(media_type(&path)), content.len())?;
            if method == "GET" { output.write_all(&content) } else { Ok(()) }
        }
        None => head(&mut output, "404 Not Found", None, 0),
    }
}

/// Reads the request line and skips the headers. Returns `None` if the request is broken.
fn read_request(mut input: impl BufRead) -> io::Result<Option<String>> {
    let mut first = None;
    for _ in 0..=MAX_HEADERS {
        let mut line = Vec::new();
        input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
        let text = line.strip_suffix(b"\r").unwrap_or(&line);
        if text.is_empty() {
            return Ok(first);
        }
        if first.is_none() {
            first = Some(String::from_utf8_lossy(text).into_owned());
        }
    }
    Ok(None)
}

fn head(output: &mut impl Write, status: &str, media_type: Option<&str>, length: usize) -> io::Result<()> {
    write!(output, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n")?;
    write!(output, "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n")?;
    if let Some(media_type) = media_type {
        write!(output, "Content-Type: {media_type}\r\n")?;
    }
    write!(output, "\r\n")
}

/// Returns the file that a request names. Returns `None` for a file outside the folder and for a folder without
/// `index.html`.
fn find(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = PathBuf::from(percent_decoded(path)?);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let (root, mut found) = (folder.canonicalize().ok()?, folder.join(&path));
    if found.is_dir() {
        found.push("index.html");
    }
    // A symbolic link may lead out of the folder.
    let found = found.canonicalize().ok()?;
    (found.starts_with(root) && found.is_file()).then_some(found)
}

/// Replaces `%41` by `A`. Returns `None` if the result is not text, or contains a character that no file name has.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(['\0', '\\', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the status line, headers and body of an answer.
    fn send(folder: &Path, request: &str) -> (String, String) {
        let mut output = Vec::new();
        answer(folder, request.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn page() -> tempfile::TempDir {
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret.txt"), "secret").unwrap();
        let inside = outer.path().join("page");
        fs::create_dir_all(inside.join("assets")).unwrap();
        fs::write(inside.join("index.html"), "<p>hello</p>").unwrap();
        fs::write(inside.join("assets/a b.wasm"), "wasm").unwrap();
        outer
    }

    #[test]
    fn files_have_their_media_types() {
        let outer = page();
        let folder = outer.path().join("page");
        let (head, body) = send(&folder, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            head.starts_with("HTTP/1.1 200 OK") && head.contains("Content-Type: text/html; charset=utf-8"),
            "{head}"
        );
        assert_eq!(body, "<p>hello</p>");
        let (head, body) = send(&folder, "GET /assets/a%20b.wasm?v=1 HTTP/1.1\r\n\r\n");
        assert!(head.contains("Content-Type: application/wasm") && body == "wasm", "{head}");
        let (head, body) = send(&folder, "HEAD / HTTP/1.1\r\n\r\n");
        assert!(head.contains("Content-Length: 12") && body.is_empty(), "{head}");
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let outer = page();
        let folder = outer.path().join("page");
        let absolute = format!("/{}", outer.path().join("secret.txt").display());
        let paths = ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", &absolute];
        for path in paths {
            let (head, body) = send(&folder, &format!("GET {path} HTTP/1.1\r\n\r\n"));
            assert!(head.starts_with("HTTP/1.1 404") && body.is_empty(), "{path}: {head}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out_of_the_folder() {
        let outer = page();
        let folder = outer.path().join("page");
        std::os::unix::fs::symlink(outer.path().join("secret.txt"), folder.join("link.txt")).unwrap();
        assert!(send(&folder, "GET /link.txt HTTP/1.1\r\n\r\n").0.starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn a_folder_is_not_listed() {
        let outer = page();
        let (head, body) = send(&outer.path().join("page"), "GET /assets/ HTTP/1.1\r\n\r\n");
        assert!(head.starts_with("HTTP/1.1 404") && body.is_empty(), "{head}");
    }

    #[test]
    fn other_methods_and_broken_requests_are_refused() {
        let outer = page();
        assert!(send(outer.path(), "POST / HTTP/1.1\r\n\r\n").0.starts_with("HTTP/1.1 405"));
        assert!(send(outer.path(), "GET /").0.starts_with("HTTP/1.1 400"));
        assert!(
            send(outer.path(), &format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000))).0.starts_with("HTTP/1.1 400")
        );
        assert!(
            send(outer.path(), &format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200)))
                .0
                .starts_with("HTTP/1.1 400")
        );
    }
}
