//! Writes the page as files for any web host.

use std::fs;
use std::path::Path;

use super::build_page;
use super::package::copy_folder;
use crate::cargo::Error;

/// Builds the page and copies it to a folder, which must be empty or absent. The page works under any path.
pub(crate) fn site(out: &str) -> Result<(), Error> {
    let out = Path::new(out);
    if out.exists() && (!out.is_dir() || fs::read_dir(out)?.next().is_some()) {
        return Err(format!("{} is not an empty folder: name another one, or empty it", out.display()).into());
    }
    copy_folder(&build_page()?, out)?;
    eprintln!("wrote {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_files_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let error = site(folder.path().to_str().unwrap()).unwrap_err();
        assert!(error.to_string().contains("is not an empty folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
