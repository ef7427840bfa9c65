// The room Balls: the same balls, and methods that find their pairs with fewer and fewer tests.

import type { RoomModule } from "../room";
import { BallsRoom } from "./room";

const module: RoomModule = { mount: (context) => new BallsRoom(context) };
export default module;
