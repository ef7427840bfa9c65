//! Reads the custom properties of objects and layers that decide colliders.
//!
//! | name | value |
//! |---|---|
//! | `one_way` | `up`, `down`, `left`, `right` (as on the screen) or `x,y`: its solid side; `true` is `up` |
//! | `moving` | an object, or the name of one: a polyline or polygon; or points `x,y x,y …`: the path |
//! | `speed` | map units per second along the path |
//! | `sensor` | `true` or `false` |
//! | `mask` | names of layers, with commas between them: the only ones with which it has contacts; `*` is all |
//!
//! The value `false` switches off a property of the layer. An object that is a path has no
//! collider.
use std::rc::Rc;

use carom::DVec2;
use carom::world::OneWay;

/// Properties of an object or a layer. `None`: not written, so those of the layer or group count.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Properties {
    pub(super) front: Option<Front>,
    pub(super) moving: Option<PathRef>,
    pub(super) speed: Option<f64>,
    pub(super) sensor: Option<bool>,
    pub(super) mask: Option<LayerMask>,
    /// Names of properties that are not read.
    pub(super) unread: Vec<Rc<str>>,
}

/// Sides from which a collider is solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Front {
    All,
    One(OneWay),
}

/// Path of a moving collider.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PathRef {
    /// Does not move.
    None,
    /// Name of a polyline or polygon.
    Name(Rc<str>),
    /// Number of a polyline or polygon.
    Number(u32),
    Points(Rc<[DVec2]>),
}

/// Layers with which a collider may have contacts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LayerMask {
    All,
    Layers(Rc<[String]>),
}

impl Properties {
    /// Sets a property from its text. `kind` is the type in the file, empty for text.
    pub(super) fn set(&mut self, name: &str, kind: &str, text: &str) -> Result<(), String> {
        let expected = |form: &str| format!("property {name}=\"{text}\": expected {form}");
        match name {
            "one_way" => self.front = Some(one_way(text).map_err(|form| expected(&form))?),
            "moving" => self.moving = Some(moving(kind, text).map_err(expected)?),
            "speed" => {
                let speed = text.trim().parse().ok().filter(|speed: &f64| *speed > 0.0 && *speed <= 1e30);
                self.speed = Some(speed.ok_or_else(|| expected("a number above 0, in map units per second"))?);
            }
            "sensor" => self.sensor = Some(flag(text).ok_or_else(|| expected("true or false"))?),
            "mask" => self.mask = Some(mask(text)),
            other => self.unread.push(other.into()),
        }
        Ok(())
    }

    /// Refuses a property whose value is no text.
    pub(super) fn set_other(&mut self, name: &str) -> Result<(), String> {
        match name {
            "one_way" | "moving" | "speed" | "sensor" | "mask" => {
                Err(format!("property {name}: expected a text, a number or a bool"))
            }
            other => {
                self.unread.push(other.into());
                Ok(())
            }
        }
    }

    /// Returns these properties, with those of `outer` for all that are not written.
    pub(super) fn or(&self, outer: &Self) -> Self {
        Self {
            front: self.front.or(outer.front),
            moving: self.moving.as_ref().or(outer.moving.as_ref()).cloned(),
            speed: self.speed.or(outer.speed),
            sensor: self.sensor.or(outer.sensor),
            mask: self.mask.as_ref().or(outer.mask.as_ref()).cloned(),
            unread: Vec::new(),
        }
    }

    /// Returns the front direction of a one-way collider.
    pub(super) fn one_way(&self) -> Option<OneWay> {
        match self.front {
            Some(Front::One(one_way)) => Some(one_way),
            Some(Front::All) | None => None,
        }
    }

    /// Returns the number of bytes of a copy, without shared data.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.unread.as_slice())
    }
}

fn flag(text: &str) -> Option<bool> {
    match text.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Returns the front direction. +y points down.
fn one_way(text: &str) -> Result<Front, String> {
    const FORM: &str = "up, down, left, right, a direction x,y, or false";
    let front = match text.trim() {
        "" | "false" => return Ok(Front::All),
        "up" | "true" => DVec2::NEG_Y,
        "down" => DVec2::Y,
        "left" => DVec2::NEG_X,
        "right" => DVec2::X,
        other => point(other).ok_or(FORM)?,
    };
    OneWay::new(front).map(Front::One).map_err(|error| format!("{FORM}: {error}"))
}

fn moving(kind: &str, text: &str) -> Result<PathRef, &'static str> {
    let text = text.trim();
    if matches!(kind, "object" | "int") {
        let number = text.parse().map_err(|_| "the number of an object");
        return number.map(|number| if number == 0 { PathRef::None } else { PathRef::Number(number) });
    }
    if matches!(text, "" | "false") {
        return Ok(PathRef::None);
    }
    let points: Option<Rc<[DVec2]>> = text.split_ascii_whitespace().map(point).collect();
    Ok(points.map_or_else(|| PathRef::Name(text.into()), PathRef::Points))
}

fn mask(text: &str) -> LayerMask {
    if text.trim() == "*" {
        return LayerMask::All;
    }
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    LayerMask::Layers(names.map(str::to_owned).collect())
}

/// Reads `x,y`.
pub(super) fn point(text: &str) -> Option<DVec2> {
    let (x, y) = text.split_once(',')?;
    let point = DVec2::new(x.trim().parse().ok()?, y.trim().parse().ok()?);
    point.is_finite().then_some(point)
}
