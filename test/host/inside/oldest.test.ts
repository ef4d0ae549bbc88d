import { reportInside } from "./report.ts";

reportInside("oldest");
