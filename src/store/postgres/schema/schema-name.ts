/** One schema holds everything, a table a collection; our own tables begin with an underscore. */
export const SCHEMA = "toolplane";

/** SQLSTATE of what is refused because nothing is to be written at the moment. */
export const READ_ONLY = "TP001";
