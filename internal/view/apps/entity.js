import { start } from "./app.js";
import { entity } from "./fields.js";

start(entity);
