/** One schema holds everything, a table a collection; our own tables begin with an underscore. */
export const SCHEMA = "toolplane";
