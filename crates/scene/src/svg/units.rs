//! Converts lengths, transforms and viewports to units of the drawing.
//!
//! Input: attributes as text. Output: numbers and affine maps. Units are those of CSS: an inch is
//! 96 px, and a percentage refers to the viewport. Angles of transforms are reduced as in the
//! library, so that quarter turns are exact.

use carom::Pose;
use kurbo::{Affine, Vec2};
use roxmltree::Node;
use svgtypes::{Align, AspectRatio, Length, LengthUnit, TransformListParser, TransformListToken, ViewBox};

/// Reference length of a percentage.
#[derive(Clone, Copy, Debug)]
pub(super) enum PercentOf {
    Width,
    Height,
    Diagonal,
}

/// Returns a length attribute in user units, if there is one. `size`: size of the viewport.
pub(super) fn length(node: Node<'_, '_>, name: &str, of: PercentOf, size: Vec2) -> Result<Option<f64>, String> {
    let Some(text) = node.attribute(name).map(str::trim).filter(|text| !matches!(*text, "" | "auto")) else {
        return Ok(None);
    };
    let fail = |expected: &str| format!("{name}=\"{}\": expected {expected}", super::cut(text));
    let length: Length = text.parse().map_err(|_| fail("a length, such as 12, 3.5mm or 50%"))?;
    // CSS: an inch is 96 px.
    let unit = match length.unit {
        LengthUnit::None | LengthUnit::Px => return Ok(Some(length.number)),
        LengthUnit::In => length.number * 96.0,
        LengthUnit::Cm => length.number / 2.54 * 96.0,
        LengthUnit::Mm => length.number / 25.4 * 96.0,
        LengthUnit::Pt => length.number / 72.0 * 96.0,
        LengthUnit::Pc => length.number * 16.0,
        LengthUnit::Percent => {
            let whole = match of {
                PercentOf::Width => size.x,
                PercentOf::Height => size.y,
                PercentOf::Diagonal => (size.hypot2() * 0.5).sqrt(),
            };
            length.number * whole / 100.0
        }
        LengthUnit::Em | LengthUnit::Ex => {
            return Err(fail("a length in px, mm, cm, in, pt, pc or %: fonts are not read"));
        }
    };
    Ok(Some(unit))
}

/// Returns the transform of an element.
pub(super) fn transform(node: Node<'_, '_>) -> Result<Affine, String> {
    let declared = node.attribute("style").and_then(|style| super::style::declaration(style, "transform"));
    if declared.is_some_and(|value| value != "none") {
        return Err("a transform in style=\"…\" is not read: write it as the attribute transform".to_owned());
    }
    let Some(text) = node.attribute("transform").filter(|text| text.trim() != "none") else {
        return Ok(Affine::IDENTITY);
    };
    let fail = || format!("transform=\"{}\": expected a list such as translate(4 2) rotate(30)", super::cut(text));
    TransformListParser::from(text)
        .try_fold(Affine::IDENTITY, |whole, token| Ok(whole * single(token.map_err(|_| fail())?).ok_or_else(fail)?))
}

/// Angles are reduced first, so that quarter turns are exact.
fn single(token: TransformListToken) -> Option<Affine> {
    let turn = |degrees| Pose::from_degrees([0.0, 0.0], degrees).ok().map(|pose| (pose.cos(), pose.sin()));
    let tangent = |degrees| turn(degrees).map(|(cos, sin)| sin / cos);
    Some(match token {
        TransformListToken::Matrix { a, b, c, d, e, f } => Affine::new([a, b, c, d, e, f]),
        TransformListToken::Translate { tx, ty } => Affine::translate((tx, ty)),
        TransformListToken::Scale { sx, sy } => Affine::scale_non_uniform(sx, sy),
        TransformListToken::Rotate { angle } => {
            turn(angle).map(|(cos, sin)| Affine::new([cos, sin, -sin, cos, 0.0, 0.0]))?
        }
        TransformListToken::SkewX { angle } => Affine::new([1.0, 0.0, tangent(angle)?, 1.0, 0.0, 0.0]),
        TransformListToken::SkewY { angle } => Affine::new([1.0, tangent(angle)?, 0.0, 1.0, 0.0, 0.0]),
    })
}

/// Returns the view box of an element, if there is one.
pub(super) fn view_box(node: Node<'_, '_>) -> Result<Option<ViewBox>, String> {
    let Some(text) = node.attribute("viewBox") else { return Ok(None) };
    let expected = "expected min-x min-y width height, with sizes above 0";
    text.parse().map(Some).map_err(|_| format!("viewBox=\"{}\": {expected}", super::cut(text)))
}

/// Returns the map from the user units of a view box to those of a viewport of this size, by
/// `preserveAspectRatio`.
pub(super) fn fit(node: Node<'_, '_>, view: &ViewBox, size: Vec2) -> Result<Affine, String> {
    let ratio: AspectRatio = match node.attribute("preserveAspectRatio") {
        Some(text) => text
            .parse()
            .map_err(|_| format!("preserveAspectRatio=\"{}\": expected such as xMidYMid meet", super::cut(text)))?,
        None => AspectRatio::default(),
    };
    let scale = Vec2::new(size.x / view.w, size.y / view.h);
    let uniform = if ratio.slice { scale.x.max(scale.y) } else { scale.x.min(scale.y) };
    let (x, y) = match ratio.align {
        Align::None => return Ok(Affine::new([scale.x, 0.0, 0.0, scale.y, -view.x * scale.x, -view.y * scale.y])),
        Align::XMinYMin => (0.0, 0.0),
        Align::XMidYMin => (0.5, 0.0),
        Align::XMaxYMin => (1.0, 0.0),
        Align::XMinYMid => (0.0, 0.5),
        Align::XMidYMid => (0.5, 0.5),
        Align::XMaxYMid => (1.0, 0.5),
        Align::XMinYMax => (0.0, 1.0),
        Align::XMidYMax => (0.5, 1.0),
        Align::XMaxYMax => (1.0, 1.0),
    };
    let left = Vec2::new(size.x - view.w * uniform, size.y - view.h * uniform);
    Ok(Affine::new([uniform, 0.0, 0.0, uniform, left.x * x - view.x * uniform, left.y * y - view.y * uniform]))
}
