//! `simulate` for teaching: balls to order, energy and momentum of each step, plots, colours, words.
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::carom::{Folder, carom, carom_with, root};

fn lines(path: &str) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn out(folder: &Folder, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// A ball of mass 2 falls from 10 above the origin with g = 8. After `n` steps of 1/8 s of semi-implicit
/// Euler integration its speed is n exactly, and its fall n (n + 1) / 16. The next bounce is far below.
const FALL: &str = r#"{"carom": 1, "gravity": [0, -8], "colliders": [
    {"id": "ball", "shape": {"circle": {"radius": 1}}, "position": [0, 10], "body": {"mass": 2, "velocity": [3, 0], "restitution": 1}},
    {"id": "post", "shape": {"circle": {"radius": 1}}, "position": [50, 0]}]}"#;

#[test]
fn a_trace_has_velocities_energy_and_momentum() {
    let folder = Folder::new();
    let (trace, table) = (out(&folder, "fall.ndjson"), out(&folder, "fall.csv"));
    carom_with(&["simulate", "-", "--steps", "8", "--dt", "0.125", "--trace", &trace], FALL).data();
    for (line, n) in lines(&trace).iter().zip(1..) {
        let n = f64::from(n);
        assert_eq!(line["velocities"], serde_json::json!([[3.0, -n], [0.0, 0.0]]));
        assert_eq!(line["momentum"], serde_json::json!([6.0, -2.0 * n]));
        let y = line["poses"][0][1].as_f64().unwrap();
        let energy = |key: &str| line["energy"][key].as_f64().unwrap();
        assert_eq!(energy("kinetic"), 9.0 + n * n);
        // m g y: zero at the origin.
        assert_eq!((energy("potential"), energy("total")), (16.0 * y, 9.0 + n * n + 16.0 * y));
    }
    carom_with(&["simulate", "-", "--steps", "8", "--dt", "0.125", "--trace", &table], FALL).data();
    let rows: Vec<String> = fs::read_to_string(&table).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(rows.len(), 1 + 8 * 2);
    assert_eq!(rows[0], "step,time,id,x,y,degrees,velocity_x,velocity_y,kinetic,potential");
    assert!(rows[1].starts_with("1,0.125,ball,0.375,") && rows[1].contains(",3.0,-1.0,10.0,"), "{}", rows[1]);
    assert_eq!(rows[2], "1,0.125,post,50.0,0.0,0.0,0.0,0.0,0.0,0.0");
}

#[test]
fn the_numbers_of_a_plot() {
    let folder = Folder::new();
    let (csv, ndjson) = (out(&folder, "plot.csv"), out(&folder, "plot.ndjson"));
    for path in [&csv, &ndjson] {
        carom_with(&["simulate", "-", "--steps", "8", "--dt", "0.125", "--plot", path], FALL).data();
    }
    let samples = lines(&ndjson);
    assert_eq!((samples.len(), &samples[0]["kinetic"], &samples[0]["potential"]), (9, &9.0.into(), &160.0.into()));
    assert_eq!(samples[8]["kinetic"], 73.0);
    let text = fs::read_to_string(&csv).unwrap();
    let header = "step,time,kinetic,potential,energy,momentum_x,momentum_y,contacts,begins,ends,impacts,tests";
    assert_eq!((text.lines().next(), text.lines().count()), (Some(header), 10));
}

#[test]
fn plots_are_pictures() {
    let folder = Folder::new();
    let svg = out(&folder, "plot.svg");
    carom(&["simulate", "--balls", "20", "--gravity", "9.8", "--steps", "60", "--plot", &svg]).data();
    let text = fs::read_to_string(&svg).unwrap();
    for word in ["energy", "kinetic", "potential, zero at the origin", "contacts", "tests per step", "time in seconds"]
    {
        assert!(text.contains(word), "no \"{word}\"");
    }
    assert!(text.matches("<polyline").count() >= 7, "one line per value");
    let png = out(&folder, "plot.png");
    carom(&["simulate", "--balls", "20", "--steps", "0", "--plot", &png]).data();
    assert!(fs::read(png).unwrap().starts_with(b"\x89PNG"));
    let ran = carom(&["simulate", "--balls", "20", "--plot", "plot.txt"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains(".svg") && ran.stderr.contains(".csv"), "{}", ran.stderr);
}

/// `--write-scene` writes the scene of `--balls`.
#[test]
fn balls_to_order() {
    let folder = Folder::new();
    let scene = out(&folder, "gas.json");
    let order = [
        "--radius",
        "0.25",
        "--speed",
        "8",
        "--restitution",
        "0.5",
        "--box",
        "30,10",
        "--gravity",
        "1,-2",
        "--seed",
        "7",
    ];
    let run = |args: &[&str]| -> Value {
        let all = [&["simulate"], args, &["--steps", "50", "--format", "json"]].concat();
        let mut summary: Value = serde_json::from_str(&carom(&all).data()).unwrap();
        summary["ns_per_body_step"].take();
        summary
    };
    let ordered = run(&[&["--balls", "100", "--write-scene", &scene], &order[..]].concat());
    assert_eq!(ordered, run(&[&scene]));
    let text: Value = serde_json::from_str(&fs::read_to_string(&scene).unwrap()).unwrap();
    assert_eq!((&text["walls"], &text["gravity"]), (&serde_json::json!([-15, -5, 15, 5]), &serde_json::json!([1, -2])));
    let balls = text["colliders"].as_array().unwrap();
    assert_eq!(balls.len(), 100);
    for ball in balls {
        let number = |pointer: &str| ball.pointer(pointer).unwrap().as_f64().unwrap();
        let speed = number("/body/velocity/0").hypot(number("/body/velocity/1"));
        assert!(
            (1.6..=8.000_001).contains(&speed)
                && number("/body/restitution") == 0.5
                && number("/shape/circle/radius") == 0.25
        );
        assert!(number("/position/0").abs() <= 14.75 && number("/position/1").abs() <= 4.75);
    }
    // No balls overlap at the start.
    let check = carom(&["check", &scene, "--overlaps", "--count"]).data();
    assert_eq!(check, "0\n");
    assert_ne!(run(&[&["--balls", "100"], &order[..order.len() - 2]].concat()), ordered, "another seed");
}

#[test]
fn balls_that_make_no_sense_are_refused() {
    for (args, said) in [
        (&["--box", "3,3", "--balls", "10"][..], "10 balls of radius 0.5 do not fit; at most 9"),
        (&["--balls", "3", "--radius", "0"], "above 0"),
        (&["--balls", "3", "--restitution", "1.5"], "from 0 to 1"),
        (&["--balls", "3", "--box", "3"], "20,10"),
        (&["--balls", "3", "--gravity", "a,b"], "0,-9.8"),
        (&["--radius", "1", "x.json"], "--radius"),
    ] {
        let ran = carom(&[&["simulate"], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    assert!(carom(&["simulate", "--balls", "9", "--box", "3,3", "--steps", "1"]).code == 0);
}

#[test]
fn the_text_reports_losses_and_reasons() {
    let text = |args: &[&str]| carom(&[&["simulate"], args].concat()).data();
    let elastic = text(&["--balls", "10", "--steps", "600"]);
    assert!(
        elastic.contains("drift of energy") && !elastic.contains("dissipated") && !elastic.contains("potential"),
        "{elastic}"
    );
    assert!(!elastic.contains("momentum"), "walls act: {elastic}");
    let inelastic = text(&["--balls", "10", "--steps", "5", "--restitution", "0.5", "--gravity", "9.8"]);
    assert!(inelastic.contains("dissipated") && !inelastic.contains("drift"), "{inelastic}");
    assert!(inelastic.contains("potential energy") && inelastic.contains("(zero at the origin)"), "{inelastic}");
    // Nothing from outside acts in the cradle.
    let cradle = root().join("scenes/motion/newtons-cradle.json").display().to_string();
    assert!(text(&[&cradle, "--steps", "5"]).contains("momentum          2, 0  →  2, 0"));
    let stats = carom(&["simulate", "--balls", "10", "--steps", "5", "--stats"]).stderr;
    assert!(stats.contains("the walls act on the bodies"), "{stats}");
}

/// Two balls of mass 1 have the velocities 1 and −1 and restitution 0.5. They keep half their
/// speed, so they lose three quarters of the energy 1.
#[test]
fn dissipated_energy_is_not_drift() {
    let ball = |x: f64| {
        format!(
            r#"{{"shape": {{"circle": {{"radius": 1}}}}, "position": [{x}, 0], "body": {{"mass": 1, "velocity": [{}, 0], "restitution": 0.5}}}}"#,
            -x.signum()
        )
    };
    let scene = format!(r#"{{"carom": 1, "colliders": [{}, {}]}}"#, ball(-1.5), ball(1.5));
    let summary = carom_with(&["simulate", "-", "--steps", "80", "--format", "json"], &scene).data();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert!((summary["dissipated"].as_f64().unwrap() - 0.75).abs() < 1e-9, "{summary}");
    assert_eq!((&summary["drift"], &summary["potential"]), (&Value::Null, &serde_json::json!([0.0, 0.0])));
}

#[test]
fn colours_and_numbered_frames() {
    let folder = Folder::new();
    let pattern = out(&folder, "frame-###.png");
    let scene = root().join("scenes/motion/billiard-break.json").display().to_string();
    let run = |args: &[&str]| carom(&[&["simulate", &scene, "--steps", "20"], args].concat());
    run(&["--render", &pattern, "--color", "contact"]).data();
    // 20 steps of 1/60 s at 30 frames per second, and the start.
    let frames: Vec<_> = (0..11).map(|i| fs::read(out(&folder, &format!("frame-{i:03}.png"))).unwrap()).collect();
    assert!(frames.iter().all(|bytes| bytes.starts_with(b"\x89PNG")) && frames[0] != frames[10]);
    assert!(!Path::new(&out(&folder, "frame-011.png")).exists());
    let svg = |colour: &str| {
        let path = out(&folder, &format!("{colour}.svg"));
        run(&["--render", &path, "--color", colour]).data();
        fs::read_to_string(path).unwrap()
    };
    assert!(!svg("mass").contains("attributeName=\"fill\""));
    assert!(svg("speed").contains("#fde725"), "the fastest is yellow");
    let contact = svg("contact");
    assert!(contact.contains("#c81e3c") && contact.contains("calcMode=\"discrete\""));
}
