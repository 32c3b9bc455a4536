/** The schema of an object, as JSON Schema 2020-12. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}
