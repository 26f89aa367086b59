import { start } from "./app.js";
import { chart } from "./steps.js";

start(chart);
