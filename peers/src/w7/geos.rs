//! Starts the Python process that answers with GEOS, and installs its packages.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::input::Input;
use super::outlines::{Outlines, numbers};
use super::{Question, Round, Runner};

/// The scripts, and the folder for all that they fetch.
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/w7");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/w7");

/// Fetches the maps and shapely, if they are missing.
pub(super) fn fetch() -> io::Result<()> {
    let script = format!("{SCRIPTS}/fetch.sh");
    let done = Command::new(&script).arg(FOLDER).stdout(Stdio::null()).status();
    match done.map_err(|error| io::Error::new(error.kind(), format!("{script}: {error}")))? {
        status if status.success() => Ok(()),
        status => {
            Err(io::Error::other(format!("{script} {FOLDER}: {status}; it needs python3 with venv, npm and node")))
        }
    }
}

/// Reads a map that was fetched.
pub(super) fn map(name: &str) -> io::Result<Outlines> {
    Outlines::read(&mut BufReader::new(File::open(Path::new(FOLDER).join(name))?))
}

/// The process.
pub(super) struct Geos {
    process: Child,
    commands: ChildStdin,
    replies: BufReader<ChildStdout>,
    /// Versions of GEOS and shapely.
    pub(super) version: String,
    file: PathBuf,
}

impl Geos {
    pub(super) fn start() -> io::Result<Self> {
        let mut process = Command::new(format!("{FOLDER}/venv/bin/python"))
            .arg(format!("{SCRIPTS}/geos.py"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let commands = process.stdin.take().expect("a pipe was requested");
        let mut replies = BufReader::new(process.stdout.take().expect("a pipe was requested"));
        let version = line(&mut replies)?;
        let file = Path::new(FOLDER).join(format!("input-{}.bin", process.id()));
        Ok(Self { process, commands, replies, version, file })
    }
}

impl Runner for Geos {
    fn load(&mut self, input: &Input) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(&self.file)?);
        input.write(&mut file)?;
        file.flush()?;
        writeln!(self.commands, "load {}", self.file.display())?;
        line(&mut self.replies)?;
        Ok(())
    }

    fn answer(&mut self, _input: &Input, question: Question) -> io::Result<Option<Round>> {
        writeln!(self.commands, "ask {question}")?;
        let reply = line(&mut self.replies)?;
        let parsed = parse(&reply);
        let (times, count) =
            parsed.ok_or_else(|| io::Error::other(format!("the process of GEOS replied '{reply}'")))?;
        let answers = numbers(&mut self.replies, count, f64::from_le_bytes)?;
        let [build, first, again] = times;
        Ok(Some(Round { build, first, again, answers }))
    }
}

impl Drop for Geos {
    fn drop(&mut self) {
        // Both can only fail if the process or the file is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_file(&self.file);
    }
}

/// Reads the times and the number of answers.
fn parse(reply: &str) -> Option<([f64; 3], usize)> {
    let (times, count) = reply.rsplit_once(' ')?;
    let times: Vec<f64> = times.split(' ').map(|time| time.parse().ok()).collect::<Option<_>>()?;
    Some((times.try_into().ok()?, count.parse().ok()?))
}

fn line(replies: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if replies.read_line(&mut line)? == 0 {
        return Err(io::Error::other("the process of GEOS ended early; its message is above"));
    }
    Ok(line.trim_end().to_owned())
}
