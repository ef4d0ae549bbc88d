/** What shortened outputs save, after what follows them. */
export {
  netView,
  netViewOf,
  restingFormats,
  type NetFigures,
  type NetRow,
  type NetView,
  type RestingFormat,
} from "./net/net-figures.ts";
