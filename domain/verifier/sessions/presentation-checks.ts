/** The names of the checks of a presentation, by its format. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  jwt_vc_json: ['audience-check', 'nonce-check', 'envelope_signature', 'exp-check', 'nbf-check'],
};

export const isPresentationCheck = (name: unknown): name is string =>
  typeof name === 'string' && Object.keys(NAMES).includes(name);
