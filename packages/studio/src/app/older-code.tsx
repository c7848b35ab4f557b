/** Marks a run of code that has changed since. */
export function OlderCode() {
  return (
    <span class="note older-code" title="Files that the agent loaded in this run have changed since.">
      older code
    </span>
  );
}
