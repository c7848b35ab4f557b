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

function sha256(text: string): string {
  // Loaded on first use, because loading it takes as long as loading all of core.
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
