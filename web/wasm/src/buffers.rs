//! Stores the buffers through which JavaScript and the library exchange numbers.

#[cfg(feature = "world")]
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ptr;

use spin::{Mutex, MutexGuard};

use crate::failure::Failure;
#[cfg(feature = "world")]
use crate::slots::Slots;
#[cfg(feature = "world")]
use crate::space::Space;

/// Buffers of the module, and its worlds.
pub(crate) struct Buffers {
    /// Numbers from JavaScript.
    pub(crate) input: Vec<f64>,
    /// Numbers for JavaScript.
    pub(crate) output: Vec<f64>,
    /// Text and binary data in both directions.
    pub(crate) bytes: Vec<u8>,
    /// Vertex that caused the last error, or −1.
    failed_vertex: i32,
    #[cfg(feature = "world")]
    pub(crate) spaces: Slots<Box<Space>>,
}

static BUFFERS: Mutex<Buffers> = Mutex::new(Buffers {
    input: Vec::new(),
    output: Vec::new(),
    bytes: Vec::new(),
    failed_vertex: -1,
    #[cfg(feature = "world")]
    spaces: Slots::new(),
});

/// Locks a state. Nothing waits: a module has one thread, and no export calls another one. The lock is still held only
/// if an export was stopped by a trap. Then the module is stopped again.
pub(crate) fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.try_lock().expect("no export was stopped by a trap")
}

/// Status of an export that failed.
const FAILED: u32 = 2;

/// Runs an export. Returns its status: 0 no, 1 yes, 2 error.
pub(crate) fn run(body: impl FnOnce(&mut Buffers) -> Result<bool, Failure>) -> u32 {
    let mut guard = lock(&BUFFERS);
    let buffers = &mut *guard;
    match body(buffers) {
        Ok(answer) => answer.into(),
        Err(Failure { message, vertex }) => {
            buffers.bytes = message.into_bytes();
            buffers.failed_vertex = vertex.map_or(-1, |vertex| vertex as i32);
            FAILED
        }
    }
}

impl Buffers {
    /// Empties the output and writes numbers.
    pub(crate) fn write(&mut self, numbers: &[f64]) {
        self.output.clear();
        self.output.extend_from_slice(numbers);
    }
}

#[cfg(feature = "world")]
impl Buffers {
    /// Returns a world, or an error if it was disposed.
    pub(crate) fn space(&mut self, number: usize) -> Result<&mut Space, Failure> {
        self.split(number).map(|(space, _, _)| space)
    }

    /// Returns a world, the input and the output.
    pub(crate) fn split(&mut self, number: usize) -> Result<(&mut Space, &[f64], &mut Vec<f64>), Failure> {
        match self.spaces.get_mut(number) {
            Some(space) => Ok((space, &self.input, &mut self.output)),
            None => Err(Failure::new("this world was disposed")),
        }
    }
}

/// Sets the length of a buffer that JavaScript writes. Returns its address, or null if the memory is too small.
fn resize<T: Clone + Default>(buffer: &mut Vec<T>, length: usize) -> *mut T {
    if buffer.try_reserve(length.saturating_sub(buffer.len())).is_err() {
        return ptr::null_mut();
    }
    buffer.resize(length, T::default());
    buffer.as_mut_ptr()
}

/// Sets the length of the input and returns its address, or null. JavaScript writes the numbers.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn input(length: usize) -> *mut f64 {
    resize(&mut lock(&BUFFERS).input, length)
}

/// Returns the address of the output.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn output() -> *const f64 {
    lock(&BUFFERS).output.as_ptr()
}

/// Returns the length of the output in numbers.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn output_length() -> usize {
    lock(&BUFFERS).output.len()
}

/// Returns the address of the bytes: a message after an error.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn bytes() -> *const u8 {
    lock(&BUFFERS).bytes.as_ptr()
}

/// Returns the length of the bytes.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn bytes_length() -> usize {
    lock(&BUFFERS).bytes.len()
}

/// Returns the vertex that caused the last error, or −1.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn failed_vertex() -> i32 {
    lock(&BUFFERS).failed_vertex
}

/// Sets the length of the bytes and returns their address, or null. JavaScript writes the data.
#[cfg(any(feature = "world", feature = "files"))]
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn bytes_input(length: usize) -> *mut u8 {
    resize(&mut lock(&BUFFERS).bytes, length)
}
