/** The form of a request: what is asked for, and what is checked. */
export const queries = {
  queries: {
    query: 'What is asked for',
    credential: (at: number, name: string) => (name === '' ? `Card ${at}` : `Card ${at}: ${name}`),
    card: 'Card',
    cardIn: (name: string, format: string | undefined) => (format === undefined ? name : `${name} (${format})`),
    byHand: 'Another one: type what it is called',
    format: 'Format',
    formats: { 'dc+sd-jwt': 'SD-JWT VC', mso_mdoc: 'mdoc', jwt_vc_json: 'W3C' } as Record<string, string>,
    type: 'Type',
    types: {
      'dc+sd-jwt': 'Type (vct)',
      mso_mdoc: 'Document type (doctype)',
      jwt_vc_json: 'Type of the W3C credential',
    } as Record<string, string>,
    typeHint: 'Exactly as the issuer writes it.',
    claims: 'What is asked of it',
    noClaims: 'Nothing yet: then the wallet shows what its holder cannot withhold, and nothing else.',
    claim: 'Another entry',
    claimHint: 'Its name as the issuer writes it; what is inside something else after a slash, such as address/street.',
    addClaim: 'Add this entry',
    add: 'Add another card',
    remove: (at: number, name: string) => (name === '' ? `Remove card ${at}` : `Remove card ${at}: ${name}`),
    together: 'The holder shows',
    all: 'All of these cards',
    any: 'One of these cards',
    policies: 'What is checked',
    always:
      'The signature of the issuer, the holder, and that the answer was made for this request are always checked.',
    argument: (policy: string) => `Argument of ${policy}`,
    example: (example: string) => `For example ${example}`,
  },
};
