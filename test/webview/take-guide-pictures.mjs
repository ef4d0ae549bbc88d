/** `npm run generate -- guide-pictures`: takes the pictures of panels that the README and the guide show. */
import { join } from "node:path";
import { repository } from "../host/repository.ts";
