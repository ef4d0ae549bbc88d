import { seeAsPerson } from "./eyes.ts";

seeAsPerson("oldest");
