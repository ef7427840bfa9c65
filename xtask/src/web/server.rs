//! Serves the page on the loopback interface.

use std::io::{BufReader, BufWriter, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::build_page;
use super::request::answer;
use crate::cargo::Error;

/// Options of `cargo xtask play`.
#[derive(Debug, PartialEq)]
struct Options {
    /// 0: any free port.
    port: u16,
    opens: bool,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Self, Error> {
        let mut options = Self { port: 0, opens: true };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--no-open" => options.opens = false,
                "--port" => {
                    let port = words.next().ok_or("--port needs a number, such as --port 8080")?;
                    options.port = port.parse().map_err(|_| format!("--port {port}: expected 0 to 65535"))?;
                }
                _ => return Err(format!("unknown option {word}: expected --port N or --no-open").into()),
            }
        }
        Ok(options)
    }
}

/// Builds the page, serves it and opens it, until Ctrl-C.
pub(crate) fn play(words: &[&str]) -> Result<(), Error> {
    let options = Options::parse(words)?;
    let page = build_page()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .map_err(|error| format!("port {} cannot be used: {error}; name another one with --port", options.port))?;
    let address = format!("http://{}/", listener.local_addr()?);
    ctrlc::set_handler(|| {
        eprintln!("\nstopped");
        std::process::exit(0);
    })?;
    eprintln!("\nThe playground is at {address} (Ctrl-C ends it)");
    if options.opens && !open_browser(&address) {
        eprintln!("No browser could be started: open the address yourself.");
    }
    serve(&listener, &page.into());
    Ok(())
}

/// Answers each connection in a thread of its own.
fn serve(listener: &TcpListener, page: &Arc<Path>) {
    for connection in listener.incoming() {
        let page = Arc::clone(page);
        // A browser may open a connection and close it.
        let Ok(connection) = connection else { continue };
        std::thread::spawn(move || handle(&page, &connection));
    }
}

fn handle(page: &Path, connection: &TcpStream) -> std::io::Result<()> {
    // A browser keeps spare connections open: they must not hold a thread for ever.
    connection.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut output = BufWriter::new(connection);
    answer(page, BufReader::new(connection), &mut output)?;
    output.flush()
}

/// Opens an address in the browser of the user. Returns false if none could be started.
fn open_browser(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn options_are_read_and_others_refused() {
        assert_eq!(Options::parse(&[]).unwrap(), Options { port: 0, opens: true });
        assert_eq!(Options::parse(&["--no-open", "--port", "8080"]).unwrap(), Options { port: 8080, opens: false });
        for wrong in [&["--port"][..], &["--port", "99999"], &["--host", "0.0.0.0"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_page_is_served_over_the_loopback_interface() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "hello").unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        assert!(address.ip().is_loopback());
        let page: Arc<Path> = folder.path().into();
        std::thread::spawn(move || serve(&listener, &page));
        let mut connection = TcpStream::connect(address).unwrap();
        connection.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("\r\n\r\nhello"), "{answer}");
    }
}
