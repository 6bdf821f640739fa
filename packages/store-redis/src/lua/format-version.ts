/** Of what the scripts write: field 'v' of each key. `sessionFormat` says what happens to others. */
export const FORMAT_VERSION = 1;
