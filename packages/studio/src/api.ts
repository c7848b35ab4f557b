// The endpoints of studio's own pages, under /api. Types only: the server and the pages share them.

/** Every refusal of the server. */
export interface ApiError {
  readonly detail: string | readonly ApiMistake[];
}

/** One mistake in a body. */
export interface ApiMistake {
  readonly type: string;
  /** From `body` on. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}
