//! Exports snapshots and the hash of a world.

use crate::export;

export! {
    /// Writes the state of a world into the bytes.
    fn world_snapshot(buffers, world: usize) {
        buffers.bytes = buffers.space(world)?.world.to_bytes();
        Ok(true)
    }

    /// Restores the state of the bytes.
    fn world_restore(buffers, world: usize) {
        let bytes = core::mem::take(&mut buffers.bytes);
        let space = buffers.space(world)?;
        space.world.restore(&bytes)?;
        space.find_handles();
        Ok(true)
    }

    /// Writes the hash of the state as two halves, lower half first.
    fn world_hash(buffers, world: usize) {
        let hash = buffers.space(world)?.world.state_hash();
        buffers.write(&[f64::from(hash as u32), f64::from((hash >> 32) as u32)]);
        Ok(true)
    }
}
