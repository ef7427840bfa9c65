//! `carom` alone, completions, manual pages, help.
use crate::carom::{carom, root};

#[test]
fn carom_alone_checks_the_built_in_example() {
    let alone = carom(&[]);
    let example = root().join("scenes/example.json");
    let checked = carom(&["check", example.to_str().expect("UTF-8")]);
    assert_eq!(alone.data(), checked.data());
}

#[test]
fn completions_for_every_shell() {
    let marks = [
        ("bash", "complete -F _carom"),
        ("zsh", "#compdef carom"),
        ("fish", "complete -c carom"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[carom]"),
    ];
    for (shell, mark) in marks {
        let script = carom(&["completions", shell]).data();
        for word in [mark, "check", "explain", "min-depth", "walk"] {
            assert!(script.contains(word), "{shell}: no \"{word}\"");
        }
    }
    let ran = carom(&["completions", "tcsh"]);
    assert_eq!(ran.code, 2);
    assert!(marks.iter().all(|(shell, _)| ran.stderr.contains(shell)), "{}", ran.stderr);
}

#[test]
fn manual_pages() {
    let page = carom(&["man"]).data();
    assert!(page.contains(".TH carom 1"), "{page}");
    assert!(page.contains("carom\\-check(1)") || page.contains("carom-check(1)"), "{page}");
    let page = carom(&["man", "check"]).data();
    for word in ["\\-\\-margin", "\\-\\-deny", "\\-\\-between"] {
        assert!(page.contains(word), "no {word} in {page}");
    }
    assert!(carom(&["man", "explain"]).data().contains("projection"));
    assert!(carom(&["man", "walk"]).data().contains("one\\-way"));
}

#[test]
fn help_and_version() {
    let help = carom(&["--help"]).data();
    for word in ["check", "explain", "walk", "completions", "man", "Exit codes"] {
        assert!(help.contains(word), "no \"{word}\" in {help}");
    }
    assert_eq!(carom(&["--version"]).data(), format!("carom {}\n", env!("CARGO_PKG_VERSION")));
}
