/** What shortened outputs save, after what follows them. */
export {
  netView,
  type NetFigures,
  type NetRow,
  type NetView,
  type RestingFormat,
} from "./net/net-answers.ts";
export { netViewOf, restingFormats } from "./net/net-figures.ts";
