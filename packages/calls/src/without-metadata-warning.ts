/** The name of the warning that Google's client emits if it finds no metadata server. */
const LOOKUP = 'MetadataLookupWarning';

let open = 0;
let emit: typeof process.emitWarning | undefined;

/**
 * Runs work that may sign in to Google Cloud, suppressing one warning. Without application default credentials,
 * Google's client looks for the metadata server of a cloud machine, and may emit a Node.js warning when it finds none.
 * The error that follows explains what to do, so the warning is suppressed during such work. All other warnings pass
 * through.
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
    // Other code may have replaced `process.emitWarning` in the meantime.
    if (open === 0 && emit !== undefined && process.emitWarning === quietEmit) process.emitWarning = emit;
  }
}

function quietEmit(warning: string | Error, ...how: readonly unknown[]): void {
  if (open > 0 && how[0] === LOOKUP) return;
  if (emit !== undefined) Reflect.apply(emit, process, [warning, ...how]);
}
