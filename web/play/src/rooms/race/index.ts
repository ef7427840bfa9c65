// The room Race: the same balls in carom, in other libraries and in plain loops.

import type { RoomModule } from "../room";
import { RaceRoom } from "./room";

const module: RoomModule = { mount: (context) => new RaceRoom(context) };
export default module;
