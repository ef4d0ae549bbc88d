import { reportInside } from "./report.ts";

reportInside("newest");
