// An empty program, whose size is subtracted from that of the others.

fn main() {}
