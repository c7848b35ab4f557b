/** A piece of text to judge, written by someone else: the agent, a user, a tool, an author. */
export interface Material {
  /** A short name for the text, the same for every case. */
  readonly name: string;
  /** May be hostile. `''` if there is none. */
  readonly text: string;
}

/**
 * Computes a marker that does not occur in the material: the SHA-256 of a counter, the prompt's id and the material,
 * using the first counter for which this holds. Equal inputs give equal markers, so their requests are equal too.
 * Authors cannot put the marker into their own text, because that would change the marker.
 */
export function fenceMarker(promptId: string, material: readonly Material[]): string {
  const texts = material.map(({ name, text }) => [name, text]);
  const everything = JSON.stringify([promptId, texts]);
  for (let count = 0; ; count++) {
    const marker = sha256(`${count}\n${everything}`).slice(0, 16);
    if (!material.some(({ name, text }) => text.includes(marker) || name.includes(marker))) return marker;
  }
}

/** Encloses each piece of text between two lines that contain the marker. */
export function fence(material: readonly Material[], marker: string): string {
  return material
    .map(({ name, text }) =>
      text === '' ? `(${name}: none)` : `[begin ${marker}: ${name}]\n${text}\n[end ${marker}: ${name}]`,
    )
    .join('\n\n');
}

/**
 * Writes the message of a request: its code, the material between fences, and the question. Equal inputs give equal
 * messages.
 *
 * @param promptId The name and version of the prompt: `final_response_match_v2/2`.
 */
export function fencedQuestion(promptId: string, material: readonly Material[], question: string): string {
  // Lone surrogates would change on the way to the model, so that the marker would no longer match the text.
  const safe = material.map(({ name, text }) => ({ name, text: text.toWellFormed() }));
  const marker = fenceMarker(promptId, safe);
  return `The code of this request is ${marker}.\n\n${fence(safe, marker)}\n\n${question}`;
}

function sha256(text: string): string {
  // Loaded on first use, because loading it takes as long as loading all of core.
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
