import { reportInside } from "./report-inside.ts";

reportInside("newest");
