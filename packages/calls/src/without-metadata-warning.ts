/** The name by which Google's client warns when it finds no metadata server. */
const LOOKUP = 'MetadataLookupWarning';

let open = 0;
let emit: typeof process.emitWarning | undefined;

/**
 * Does work that may sign in to Google Cloud. Where no application default credentials are found, Google's client looks for
 * the metadata server of a machine in the cloud, and prints a Node warning when that fails in a way it does not know. The
 * error that follows says what to do, so this one warning is left out while such work is under way; all others pass.
 */
export async function withoutMetadataWarning<T>(work: () => Promise<T>): Promise<T> {
  if (open === 0) {
    emit = process.emitWarning;
    process.emitWarning = quietEmit;
  }
  open++;
  try {
    return await work();
  } finally {
    open--;
    // Somebody else may have replaced it since.
    if (open === 0 && emit !== undefined && process.emitWarning === quietEmit) process.emitWarning = emit;
  }
}

function quietEmit(warning: string | Error, ...how: readonly unknown[]): void {
  if (open > 0 && how[0] === LOOKUP) return;
  if (emit !== undefined) Reflect.apply(emit, process, [warning, ...how]);
}
