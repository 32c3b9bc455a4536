/**
 * How the text indexes are kept. New rows wait in a list, since adding them one by one is slow; a search reads the whole
 * list, and with the 4 MB that is the default the planner would rather read the table.
 */
export const ginOptions = 'with (gin_pending_list_limit = 256)';
