/** What draws graphs: most of the page, in a file of its own that is loaded when somebody wants to see one. */
export { GraphExplorer } from './graph/graph-explorer.js';
export { ResultDrawing } from './query/result-drawing.js';
