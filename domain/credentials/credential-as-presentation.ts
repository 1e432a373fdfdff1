import type { FormatName, ParsedCredential, ParsedPresentation } from '../../ports/credential-formats.ts';

/** A credential that is presented without a signature of its holder, as a presentation of this format. */
export const credentialAsPresentation = (credential: ParsedCredential, format: FormatName): ParsedPresentation => {
  const { type, claims, document, alg, validity } = credential;
  return {
    ...{ format, type, claims, document, alg, validity },
    binding: { kind: 'none' },
    holderFrom: 'credentials',
    credentials: [credential],
    verifyHolder: async () => ({ valid: false, refusal: 'unsigned' }),
  };
};
