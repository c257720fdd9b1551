/** The schema that holds everything, with a table for each collection. Internal tables begin with an underscore. */
export const SCHEMA = "toolplane";

/** SQLSTATE of a write that is refused because the store is read only. */
export const READ_ONLY = "TP001";
