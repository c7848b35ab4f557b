/** The body of every response with a status other than 2xx. */
export interface ApiError {
  readonly detail: string | readonly ApiMistake[];
}

/** One mistake in a request. */
export interface ApiMistake {
  readonly type: string;
  /** Path to the mistake, such as `['body', 'id']`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** The body of a 412 response: the value was changed elsewhere after it was read, and nothing was saved. */
export interface LostUpdate<Value> extends ApiError {
  /** Version of `theirs`. */
  readonly version: string;
  readonly theirs: Value;
  /** The value that was sent; absent for a deletion. */
  readonly yours?: Value | undefined;
}
