import type { ConversationPreview, ImportPreview } from '@agent-criteria/convert';

/** The formats and columns that can be imported, for the fields of the page. */
export interface ImportChoices {
  /** The formats with their names for people. */
  readonly formats: readonly { readonly id: string; readonly name: string }[];
  /** The columns that a record can have, with their meaning. */
  readonly columns: readonly { readonly name: string; readonly meaning: string }[];
  /** The largest file that is accepted, in bytes. */
  readonly maxBytes: number;
  /** Whether secrets are masked in what is stored. */
  readonly masksSecrets: boolean;
}

/** A file that was sent. It is kept until it is deleted, an import of it has ended, an hour has passed, or the studio ends. */
export interface ImportFile {
  readonly id: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** How a file is read, and which of its conversations are taken, as the flags of `agent-criteria import` say it. */
export interface ImportReading {
  /** A format. Default: detected from the content. */
  readonly as?: string | undefined;
  /** Columns with their paths, as `answer=$.output.text`; with an empty path, the column is not read. Default: guessed. */
  readonly columns?: readonly string[] | undefined;
  /** Only records with these values, as `$.status=closed`. Default: all. */
  readonly where?: readonly string[] | undefined;
  /** Only conversations with one of these texts. Default: all. */
  readonly grep?: readonly string[] | undefined;
  /** Whether to leave out conversations whose user says the same as in an earlier one. Default `false`. */
  readonly unique?: boolean | undefined;
  /** The number to draw at random. Default: all. */
  readonly sample?: number | undefined;
  /** The seed of the sample. Default `"1"`. */
  readonly seed?: string | undefined;
  /** The labels that mean a pass. Default: the usual words. */
  readonly passes?: readonly string[] | undefined;
  /** The text of a last message of the user that is not a turn. Default: none. */
  readonly stop?: string | undefined;
  /** Whether to leave out records that cannot be read. Default `false`: they are errors. */
  readonly skipInvalid?: boolean | undefined;
}

export interface NewImportedRun extends ImportReading {
  /** Default: none. */
  readonly name?: string | undefined;
  /** The person who gave the labels. Default `"imported"`. */
  readonly by?: string | undefined;
}

export interface NewImportedSet extends ImportReading {
  readonly app: string;
  /** The id of the new eval set: letters, digits and underscores. */
  readonly set: string;
}

/** The result that an import would have. Long texts and conversations are shortened. */
export interface ShownImport extends Omit<ImportPreview, 'first' | 'problems'> {
  readonly first: readonly ShownConversation[];
  /** The mistakes, in sentences with their place. The counts then cover what could be read. */
  readonly problems: readonly string[];
  /** Whether there are mistakes in single records, which can be left out. */
  readonly canLeaveOut: boolean;
}

export interface ShownConversation extends ConversationPreview {
  /** The number of turns that are not shown. */
  readonly moreTurns: number;
}

export interface ImportedRunPlace {
  /** The id of the run. */
  readonly run: string;
  readonly cases: number;
}

export interface ImportedSetPlace {
  readonly app: string;
  readonly set: string;
  readonly cases: number;
}

/** A line of an answer that reports its progress. The last one has `done` or `failed`. */
export type ImportLine<Value> =
  | { readonly progress: ImportProgress }
  | { readonly done: Value }
  /** Why the import failed, in sentences with their place. */
  | { readonly failed: string };

export interface ImportProgress {
  /** The bytes that were read so far, of `size`. */
  readonly bytes: number;
  readonly size: number;
  readonly conversations: number;
}
