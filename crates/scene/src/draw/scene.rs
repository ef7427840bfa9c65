//! Draws a scene and its contacts.
//!
//! Input: a scene, and its contacts or the pairs of which one shape lies in the other. Output: an SVG
//! with shapes, contact points, normals, depths, ids and a legend.
//!
//! Shapes that are in no pair are drawn first, so that they cover nothing. Text is placed last: depths
//! first, then ids, each at the first free of several positions. Large scenes have less text and
//! smaller marks.

use carom::{Aabb, DVec2, Placed};
use svg::node::element::{Element, Group, Rectangle};

use super::labels::{Area, Labels};
use super::legend::{Item, legend};
use super::marks;
use super::page::{
    self, DEPTH, FAINT, FIRST, GAP, IN_CONTACT, INK, LETTERS, MARGIN, NO_CONTACT, Page, WIDTH, letters, number, rimmed,
};
use super::shape;
use super::transform::View;
use super::{Contact, Options};
use crate::{Scene, SceneCollider, YAxis};

/// Margin around the scene, for arrows and letters.
const PADDING: f64 = 22.0;
/// Largest height of the drawing.
const TALLEST: f64 = 760.0;
/// Largest number of shapes with ids beside them. With more shapes, ids are only inside shapes.
/// With more contacts, depths are only at shapes as large as the text.
const ROOMY: usize = 40;

/// Draws a scene with contact points, normals (from a to b) and depths to scale. Shapes with
/// contacts are coloured and translucent. Shapes without contacts are grey. Sensors are dashed. The
/// indices of the contacts are those of [`Scene::colliders`].
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}}, {"shape": {"circle": {"radius": 1}}}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let placed = |i: usize| scene.colliders[i].shape.placed(scene.colliders[i].pose);
/// let contact = draw::Contact::between([0, 1], placed(0), placed(1), 0.0).unwrap();
/// let svg = draw::scene(&scene, &[contact], &draw::Options::default());
/// assert!(svg.contains("2 shapes, 1 contact"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn scene(scene: &Scene, contacts: &[Contact], options: &Options) -> String {
    draw(scene, Found::Contacts(contacts), options)
}

/// Draws the shapes of a scene. `pairs`: indices of an outer and an inner collider in [`Scene::colliders`]. Inner
/// shapes are drawn over outer ones, in another colour. Shapes of no pair are grey.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 3}}}, {"shape": {"circle": {"radius": 1}}}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let svg = draw::contained(&scene, &[[0, 1]], &draw::Options::default());
/// assert!(svg.contains("2 shapes, 1 contained pair"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn contained(scene: &Scene, pairs: &[[usize; 2]], options: &Options) -> String {
    draw(scene, Found::Contained(pairs), options)
}

/// Draws the shapes of a scene, with their parts in thin lines, without contacts.
///
/// ```
/// # use carom_scene::{Options, draw, read};
/// # let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}}, {"shape": {"circle": {"radius": 1}}}]}"#;
/// # let scene = read("two.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let svg = draw::shapes(&scene, &draw::Options::default());
/// assert!(svg.contains("2 shapes, 2 parts") && !svg.contains("contact"));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[must_use]
pub fn shapes(scene: &Scene, options: &Options) -> String {
    draw(scene, Found::Nothing, options)
}

/// Pairs of shapes in a picture.
#[derive(Clone, Copy)]
enum Found<'a> {
    /// No pairs were searched.
    Nothing,
    Contacts(&'a [Contact]),
    /// Outer and inner shapes.
    Contained(&'a [[usize; 2]]),
}

/// Place of a shape in the pairs, in the order of drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    None,
    Contact,
    Outer,
    Inner,
}

impl Role {
    const ALL: [Self; 4] = [Self::None, Self::Contact, Self::Outer, Self::Inner];

    fn colours(self) -> [&'static str; 2] {
        match self {
            Self::None => NO_CONTACT,
            Self::Contact | Self::Inner => IN_CONTACT,
            Self::Outer => FIRST,
        }
    }
}

fn draw(scene: &Scene, found: Found<'_>, options: &Options) -> String {
    let contacts = if let Found::Contacts(contacts) = found { contacts } else { &[] };
    let boxes: Vec<Aabb> = scene.colliders.iter().map(|c| placed(c).aabb()).collect();
    let mut page = Page::new(&options.title, &summary(scene, found));
    let available = DVec2::new(WIDTH - 2.0 * (MARGIN + PADDING), TALLEST);
    let top = DVec2::new(MARGIN + PADDING, page.y + PADDING);
    let bounds = boxes.iter().copied().chain(scene.walls).reduce(|a, b| a.union(&b));
    let Some(bounds) = bounds else {
        let middle = DVec2::new(WIDTH * 0.5, page.y + 60.0);
        page.add(letters("no colliders", middle, LETTERS, FAINT, "middle"));
        page.y += 100.0;
        return page.finish();
    };
    let (view, height) = View::fit(&bounds, scene.y == YAxis::Up, top, available, 40.0);
    let picture =
        ScenePicture { scene, contacts, found, view, boxes: boxes.iter().map(|b| on_page(b, &view)).collect() };
    if let Some(walls) = &scene.walls {
        page.add(picture.walls(walls));
    }
    let roles = picture.roles();
    for role in Role::ALL.into_iter().filter(|role| picture.has_group(*role)) {
        page.add(picture.shapes(&roles, role));
    }
    let unit = picture.unit();
    for contact in contacts {
        page.add(marks::contact(contact, &view, unit));
    }
    if options.labels {
        let margin = DVec2::splat(PADDING);
        let free = Area { min: top - margin, max: top + DVec2::new(available.x, height) + margin };
        page.add(picture.labels(Labels::new(free), unit));
    }
    page.y += height + 2.0 * PADDING;
    legend(&mut page, &picture.items(&roles), Some((view.scale(), scene.y)));
    page.finish()
}

pub(super) fn placed(collider: &SceneCollider) -> Placed<'_> {
    collider.shape.placed(collider.pose)
}

pub(super) fn on_page(bounds: &Aabb, view: &View) -> Area {
    let (p, q) = (view.point(bounds.min()), view.point(bounds.max()));
    Area { min: p.min(q), max: p.max(q) }
}

fn summary(scene: &Scene, found: Found<'_>) -> String {
    let count = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let shapes = count(scene.colliders.len(), "shape", "shapes");
    let contacts = match found {
        Found::Nothing => {
            let parts = scene.colliders.iter().map(|c| c.shape.part_count()).sum();
            return format!("{shapes}, {}", count(parts, "part", "parts"));
        }
        Found::Contained(pairs) => {
            return format!("{shapes}, {}", count(pairs.len(), "contained pair", "contained pairs"));
        }
        Found::Contacts(contacts) => contacts,
    };
    let near = contacts.iter().filter(|c| c.manifold.depth < 0.0).count();
    let meet = count(contacts.len() - near, "contact", "contacts");
    match near {
        0 => format!("{shapes}, {meet}"),
        near => format!("{shapes}, {meet}, {}", count(near, "near miss", "near misses")),
    }
}

/// A scene with its contacts and its scale.
struct ScenePicture<'a> {
    scene: &'a Scene,
    contacts: &'a [Contact],
    found: Found<'a>,
    view: View,
    /// Box of each collider on the page.
    boxes: Vec<Area>,
}

impl ScenePicture<'_> {
    /// Returns the role of each collider. A shape that lies in another and contains a third is an inner one.
    fn roles(&self) -> Vec<Role> {
        let mut roles = vec![Role::None; self.boxes.len()];
        for contact in self.contacts.iter().filter(|c| c.manifold.depth >= 0.0) {
            roles[contact.a] = Role::Contact;
            roles[contact.b] = Role::Contact;
        }
        if let Found::Contained(pairs) = self.found {
            for &[outer, _] in pairs {
                roles[outer] = Role::Outer;
            }
            for &[_, inner] in pairs {
                roles[inner] = Role::Inner;
            }
        }
        roles
    }

    /// Returns true if the picture has a group of shapes with this role, which may be empty.
    fn has_group(&self, role: Role) -> bool {
        match role {
            Role::None => true,
            Role::Contact => !matches!(self.found, Found::Contained(_)),
            Role::Outer | Role::Inner => matches!(self.found, Found::Contained(_)),
        }
    }

    /// Scale of the marks: 1 among large shapes, less among small ones.
    fn unit(&self) -> f64 {
        let mut sizes: Vec<f64> = self.boxes.iter().map(|b| b.size().max_element()).collect();
        sizes.sort_by(f64::total_cmp);
        (sizes[sizes.len() / 2] / 60.0).clamp(0.3, 1.0)
    }

    fn shapes(&self, roles: &[Role], wanted: Role) -> Group {
        let [stroke, fill] = wanted.colours();
        // Parts are close to each other.
        let thin = if matches!(self.found, Found::Nothing) { 0.7 } else { 0.6 + self.unit() };
        let mut group = Group::new()
            .set("stroke", stroke)
            .set("stroke-width", page::short(thin))
            .set("stroke-linejoin", "round")
            .set("stroke-linecap", "round")
            .set("fill", fill)
            .set("fill-opacity", 0.45);
        for (collider, role) in self.scene.colliders.iter().zip(roles) {
            if *role != wanted {
                continue;
            }
            let mut element = shape::element(placed(collider), &collider.id, &self.view);
            if collider.sensor {
                svg::Node::assign(&mut element, "stroke-dasharray", (4.0 * thin, 3.0 * thin));
                svg::Node::assign(&mut element, "fill-opacity", 0.12);
            }
            group = group.add(element);
        }
        group
    }

    fn walls(&self, walls: &Aabb) -> Element {
        let area = on_page(walls, &self.view);
        Rectangle::new()
            .set("x", page::short(area.min.x))
            .set("y", page::short(area.min.y))
            .set("width", page::short(area.size().x))
            .set("height", page::short(area.size().y))
            .set("fill", "none")
            .set("stroke", FAINT)
            .set("stroke-width", 1)
            .set("stroke-dasharray", "1 4")
            .set("stroke-linecap", "round")
            .into()
    }

    fn labels(&self, mut labels: Labels, unit: f64) -> Group {
        let mut group = Group::new();
        for contact in self.contacts {
            for point in &contact.points {
                labels.block(Area::around(self.view.point(point.position()), DVec2::splat(8.0 * unit)));
            }
            if let Some(tip) = self.tip(contact, unit) {
                labels.block(tip);
            }
        }
        for contact in self.contacts {
            group = self.depth(contact, unit, &mut labels, group);
        }
        for index in 0..self.boxes.len() {
            group = self.id(index, &mut labels, group);
        }
        group
    }

    /// Returns the box of the arrow of a contact.
    fn tip(&self, contact: &Contact, unit: f64) -> Option<Area> {
        let points = contact.manifold.points();
        let from = points.iter().map(|p| self.view.point(p.on_a)).reduce(|p, q| (p + q) * 0.5)?;
        let to = from + self.view.direction(contact.manifold.normal) * (30.0 * unit);
        Some(Area { min: from.min(to) - DVec2::ONE, max: from.max(to) + DVec2::ONE })
    }

    /// Writes the depth beside the deepest point.
    fn depth(&self, contact: &Contact, unit: f64, labels: &mut Labels, group: Group) -> Group {
        let Some(point) = contact.manifold.points().iter().max_by(|p, q| p.depth.total_cmp(&q.depth)) else {
            return group;
        };
        let (text, colour) = match point.depth {
            0.0 => return group,
            depth if depth < 0.0 => (format!("gap {}", number(-depth)), GAP),
            depth => (number(depth), DEPTH),
        };
        let size = LETTERS - 1.0;
        let extent = |i: usize| self.boxes[i].size().max_element();
        if self.contacts.len() > ROOMY && page::width(&text, size) > extent(contact.a).min(extent(contact.b)) {
            return group;
        }
        let at = self.view.point(point.position());
        let side = self.view.direction(contact.manifold.normal).perp();
        let half = DVec2::new(page::width(&text, size) * 0.5 + 4.0, size * 0.5 + 2.0);
        let centres = [1.0, -1.0].into_iter().flat_map(|sign| {
            [0.0, 6.0, 14.0].map(|more| at + side * sign * (4.0 * unit + more + (side.abs() * half).element_sum()))
        });
        match labels.place(&text, size, centres) {
            Some(centre) => {
                group.add(rimmed(letters(&text, centre + DVec2::new(0.0, size * 0.36), size, colour, "middle")))
            }
            None => group,
        }
    }

    /// Writes an id inside its shape, or beside it if there is space.
    fn id(&self, index: usize, labels: &mut Labels, group: Group) -> Group {
        let text = page::cut(&page::printable(&self.scene.colliders[index].id), LETTERS, 160.0);
        let size = DVec2::new(page::width(&text, LETTERS), LETTERS);
        let mut centres = self.inside(index, size);
        self.least_covered_first(index, size, &mut centres);
        if self.boxes.len() <= ROOMY {
            let mut beside = self.beside(index, size);
            self.least_covered_first(index, size, &mut beside);
            centres.extend(beside);
        }
        match labels.place(&text, LETTERS, centres) {
            Some(at) => group.add(rimmed(letters(&text, at + DVec2::new(0.0, LETTERS * 0.36), LETTERS, INK, "middle"))),
            None => group,
        }
    }

    /// Returns centres inside a shape at which a text of this size fits. The middle is first.
    fn inside(&self, index: usize, size: DVec2) -> Vec<DVec2> {
        if size.cmpgt(self.boxes[index].size() * 0.92).any() {
            return Vec::new();
        }
        let shape = placed(&self.scene.colliders[index]);
        let bounds = shape.aabb();
        let end = DVec2::new(size.x * 0.5 / self.view.scale(), 0.0);
        let contains = |p: DVec2| shape.contains_point(p).is_ok_and(|inside| inside);
        let parts = [0.0, -0.25, 0.25].into_iter().flat_map(|y| [0.0, -0.25, 0.25].map(|x| DVec2::new(x, y)));
        let centres = parts.map(|part| bounds.center() + bounds.size() * part);
        // The box of a polygon with islands may be mostly empty, so its largest parts are tried.
        centres
            .chain(largest_parts(shape))
            .filter(|&p| contains(p - end) && contains(p + end))
            .map(|p| self.view.point(p))
            .collect()
    }

    /// Returns positions above, below, right and left of a shape.
    fn beside(&self, index: usize, size: DVec2) -> Vec<DVec2> {
        let area = &self.boxes[index];
        let beyond = (area.size() + size) * 0.5 + DVec2::splat(4.0);
        [DVec2::NEG_Y, DVec2::Y, DVec2::X, DVec2::NEG_X].map(|side| area.centre() + side * beyond).to_vec()
    }

    /// If there are few shapes, sorts the positions by the number of boxes of other shapes that
    /// cover them.
    fn least_covered_first(&self, index: usize, size: DVec2, centres: &mut [DVec2]) {
        if self.boxes.len() <= ROOMY {
            centres.sort_by_key(|&centre| {
                let text = Area::around(centre, size);
                self.boxes.iter().enumerate().filter(|(i, other)| *i != index && other.intersects(&text)).count()
            });
        }
    }

    /// Returns the entries of the legend.
    fn items(&self, roles: &[Role]) -> Vec<Item> {
        let contained = matches!(self.found, Found::Contained(_));
        let searched = !matches!(self.found, Found::Nothing);
        let any = |wanted: fn(f64) -> bool| self.contacts.iter().any(|c| wanted(c.manifold.depth));
        [
            (Item::Swatch("intersects", IN_CONTACT), roles.contains(&Role::Contact)),
            (Item::Swatch("contained", IN_CONTACT), roles.contains(&Role::Inner)),
            (Item::Swatch("contains", FIRST), roles.contains(&Role::Outer)),
            (
                Item::Swatch(if contained { "neither" } else { "disjoint" }, NO_CONTACT),
                searched && roles.contains(&Role::None),
            ),
            (Item::Sensor, self.scene.colliders.iter().any(|c| c.sensor)),
            (Item::Point, any(|depth| depth > 0.0)),
            (Item::Touch, any(|depth| depth == 0.0)),
            (Item::Depth, any(|depth| depth > 0.0)),
            (Item::Gap, any(|depth| depth < 0.0)),
            (Item::Normal, !self.contacts.is_empty()),
        ]
        .into_iter()
        .filter_map(|(item, there)| there.then_some(item))
        .collect()
    }
}

/// Returns the centroids of the largest parts of a composite, the largest first.
fn largest_parts(shape: carom::Placed<'_>) -> Vec<DVec2> {
    let parts = if shape.shape().part_count() > 1 { shape.shape().parts().collect() } else { vec![] };
    let mut found: Vec<(f64, DVec2)> = parts
        .iter()
        .map(|(part, pose)| {
            let mass = part.mass_properties();
            (mass.area, shape.pose().transform_point(pose.transform_point(mass.centroid)))
        })
        .collect();
    found.sort_by(|p, q| q.0.total_cmp(&p.0));
    found.truncate(3);
    found.into_iter().map(|(_, centroid)| centroid).collect()
}
