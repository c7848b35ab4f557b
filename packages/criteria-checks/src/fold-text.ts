/**
 * Converts a string to the form that checks compare: Unicode's normal form C, in which `é` is the same whether it was
 * written as one code point or two. With `ignoreCase`, letters that differ only in case are equal, whatever the
 * language: `ß` equals `SS`, and all forms of sigma are equal. The dotless Turkish `ı` equals `i`, which is unavoidable
 * if the language is unknown.
 */
export function foldText(text: string, ignoreCase: boolean): string {
  const normal = text.normalize('NFC');
  // Converts to lower case first, for letters such as the Kelvin sign that have no upper case of their own, and then to
  // upper case, where no letter depends on its neighbours.
  return ignoreCase ? normal.toLowerCase().toUpperCase().normalize('NFC') : normal;
}
