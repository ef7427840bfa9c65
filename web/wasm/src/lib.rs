//! WebAssembly exports of carom for the npm package. `web/package` is their only caller.
//!
//! All parameters and results are numbers:
//!
//! - JavaScript writes shapes and lists as `f64` into the input buffer ([`buffers::input`]).
//! - An export returns 0 (no), 1 (yes) or 2 (error). Results lie in the output buffer
//!   ([`buffers::output`]), an error message in the bytes ([`buffers::bytes`]).
//! - Columns are addresses in the output buffer. JavaScript makes views of them.
//!
//! No export calls JavaScript. Every id is checked, so a wrong one is an error, never a trap.

//! Without the feature `files` the modules have no `std`: its panic messages need 20 kB.

// The attribute that names an export counts as unsafe code.
#![cfg_attr(target_arch = "wasm32", allow(unsafe_code))]
#![cfg_attr(not(feature = "files"), no_std)]

extern crate alloc;
#[cfg(not(any(target_arch = "wasm32", feature = "files")))]
extern crate std;

#[cfg(all(target_arch = "wasm32", not(feature = "files")))]
extern crate carom_panic_handler;

pub mod buffers;
mod failure;
pub mod pairs;
mod shape_input;

#[cfg(feature = "world")]
pub mod broad_phase;
#[cfg(feature = "world")]
pub mod casts;
#[cfg(feature = "world")]
mod columns;
#[cfg(feature = "world")]
pub mod explain;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "world")]
mod ids;
#[cfg(feature = "world")]
pub mod mover;
#[cfg(feature = "world")]
pub mod particles;
#[cfg(feature = "world")]
pub mod polygons;
#[cfg(feature = "world")]
pub mod queries;
#[cfg(feature = "world")]
mod slots;
#[cfg(feature = "world")]
pub mod snapshot;
#[cfg(feature = "world")]
mod space;
#[cfg(feature = "world")]
pub mod world;
#[cfg(feature = "world")]
pub mod world_columns;

#[cfg(all(target_arch = "wasm32", not(feature = "files")))]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Declares exports: functions that run with the buffers and return a status. The body returns `Result<bool, Failure>`.
macro_rules! export {
    ($($(#[doc = $doc:literal])* fn $name:ident($buffers:ident $(, $argument:ident: $kind:ty)*) $body:block)*) => {$(
        $(#[doc = $doc])*
        #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
        pub extern "C" fn $name($($argument: $kind),*) -> u32 {
            $crate::buffers::run(|$buffers| $body)
        }
    )*};
}
use export;
