/** An agent of the folder that the user named, under the name that requests call it by. */
export interface App {
  readonly name: string;
  /** Where its eval sets, its config and its eval history are: an absolute path. */
  readonly folder: string;
  /** Its module, its folder or its URL, as `loadAgent` takes it; `null`: there are only eval sets. */
  readonly agent: string | null;
}
