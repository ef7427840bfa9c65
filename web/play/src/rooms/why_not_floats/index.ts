// The room Why not floats: pairs about which floating point is wrong, magnified until the reason is seen.

import type { RoomModule } from "../room";
import { FloatsRoom } from "./room";

const module: RoomModule = { mount: (context) => new FloatsRoom(context) };
export default module;
