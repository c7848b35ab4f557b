/** A flag of a command: how it is parsed, and what help says of it. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  /** May be given several times. */
  readonly multiple?: true;
  /** What stands for its value in help, as `FILE`. */
  readonly value?: string;
  readonly help?: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;
