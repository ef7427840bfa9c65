//! Provides numbers, vectors, poses, boxes, rays, pixel masks, SIMD dispatch and parallel loops.
//!
//! Contains the numerical foundation of the crate. Nothing here depends on shapes.
//!
//! | module | content |
//! |---|---|
//! | `vector`, `point`, `pose`, `aabb`, `ray` | geometry in `f64` |
//! | `predicates`, `big_int`, `double_double`, `sqrt_extension` | exact signs, extended precision |
//! | `mask` | pixel masks |
//! | `simd`, `parallel`, `prefetch` | use of the hardware |
//! | `sort`, `both`, `lists`, `codec` | sorting, pairs, lists, binary data |

pub(crate) mod aabb;
pub(crate) mod big_int;
pub(crate) mod both;
pub(crate) mod codec;
pub(crate) mod double_double;
pub(crate) mod lists;
pub(crate) mod mask;
pub(crate) mod ordered_map;
pub(crate) mod parallel;
pub(crate) mod point;
pub(crate) mod pose;
pub(crate) mod predicates;
pub(crate) mod prefetch;
pub(crate) mod ray;
pub(crate) mod ring;
pub(crate) mod simd;
pub(crate) mod sort;
pub(crate) mod sqrt_extension;
pub(crate) mod vector;
