// Starts the page: paints the shell, then loads the room that the address names.

import "./styles/tokens.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/marks.css";
import { Shell } from "./shell/shell";

new Shell().start();
