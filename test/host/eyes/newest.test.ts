import { seeAsPerson } from "./eyes.ts";

seeAsPerson("newest");
