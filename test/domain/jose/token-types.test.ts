import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { OPENID4VCI } from '../../../domain/credentials/openid4vci.ts';
import { readCredentialFacts, readPresentationFacts } from '../../../domain/credentials/token-facts.ts';
import { otherType, type TokenKind } from '../../../domain/jose/token-types.ts';
import { CLIENT_ATTESTATION } from '../../../domain/oauth/client-attestations.ts';
import { DPOP } from '../../../domain/oauth/dpop-proof.ts';
import { KEY_ATTESTATION } from '../../../domain/oauth/key-attestations.ts';
import { REQUEST_OBJECT } from '../../../domain/presentation/request-parameters.ts';
import { ENTITY_STATEMENT } from '../../../domain/trust/federation/entity-statement.ts';

/** The types of every kind of token that is read or written here. */
const TYPES = [
  ...['vc+jwt', 'vc+ld+jwt', 'vc+sd-jwt', 'vp+jwt', 'vp+sd-jwt', 'dc+sd-jwt', 'kb+jwt'],
  ...['statuslist+jwt', 'statuslist+cwt', 'verifier-attestation+jwt', 'at+jwt', 'secevent+jwt', 'logout+jwt'],
  ...[OPENID4VCI.PROOF_TYPE, OPENID4VCI.CWT_PROOF_TYPE, DPOP.PROOF_TYPE, CLIENT_ATTESTATION.POP_TYPE],
  ...[KEY_ATTESTATION.TYPE, ENTITY_STATEMENT.TYP, REQUEST_OBJECT.TYP],
];

/** The types that each kind may state; `JWT` or none is accepted for each. */
const OWN: Record<TokenKind, RegExp> = {
  vc: /^vc\+/,
  vp: /^vp\+/,
  'id-token': /^$/,
  'request-object': /^oauth-authz-req\+/,
  'login-token': /^$/,
};

describe('tokens whose type need not be stated', () => {
  for (const [kind, own] of Object.entries(OWN) as [TokenKind, RegExp][])
    it(`${kind}: is refused with the type of any other kind`, () => {
      for (const typ of [undefined, 'JWT', 'jwt', 'JOSE', '']) expect(otherType(typ, kind), typ).to.equal(undefined);
      for (const type of TYPES)
        for (const typ of [type, type.toUpperCase(), `application/${type}`])
          expect(otherType(typ, kind) === undefined, typ).to.equal(own.test(type));
      for (const typ of [7, null, ['JWT']]) expect(otherType(typ, kind)).to.equal('no text');
    });

  it('a credential and a presentation are read only with a type of theirs', () => {
    const vc = (typ: string) => () => readCredentialFacts({ header: { typ }, payload: { vc: {} } });
    const vp = (typ: string) => () => readPresentationFacts({ header: { typ }, payload: { vp: {} } });
    for (const typ of TYPES) {
      if (OWN.vc.test(typ)) expect(vc(typ)).to.not.throw();
      else expect(vc(typ), typ).to.throw('where a vc was expected');
      if (OWN.vp.test(typ)) expect(vp(typ)).to.not.throw();
      else expect(vp(typ), typ).to.throw('where a vp was expected');
    }
  });

  it('rows: every file that parses a token looks at its type, but for those that have a reason', () => {
    const files = ['adapters', 'composition', 'domain'].flatMap((floor) =>
      readdirSync(floor, { recursive: true, encoding: 'utf8' }).map((file) => `${floor}/${file}`),
    );
    const isBlind = (text: string): boolean =>
      /\bparse(Jws|Signature)\(/.test(text) && !/\btyp\b|otherType|read(Credential|Issuer)Facts/.test(text);
    const blind = files.filter((file) => file.endsWith('.ts') && isBlind(readFileSync(file, 'utf8')));
    expect(blind.sort()).to.deep.equal(BLIND);
  });
});

/** Files that parse tokens and leave their type to others. */
const BLIND = [
  // Read by the rules of their format.
  'adapters/formats/jwt-vc/parse-presentation.ts',
  'adapters/formats/jwt-vc/presentation-view.ts',
  'adapters/formats/sd-jwt-vc/parse-presentation.ts',
  'adapters/formats/sd-jwt-vc/presentation-view.ts',
  'adapters/formats/sd-jwt/token-view.ts',
  // A login token that this server has just signed.
  'adapters/http/handlers/wallet2/accounts.ts',
  // Lists of trusted issuers have no type of their own.
  'adapters/trust-lists/etsi-lists.ts',
  'domain/credentials/sd-jwt.ts',
  // Any text that the user signs and verifies with a key.
  'domain/holdings/key-signing.ts',
  // Compared with the token that was to be signed.
  'domain/wallet/presentation/external-presentations.ts',
  'domain/wallet/presentation/external-token.ts',
  // Verified by the reader of request objects, which looks at their type.
  'domain/wallet/presentation/page-requests.ts',
  // A proof that the wallet signed before: only who signed it is read, and the issuer judges it.
  'domain/wallet/steps/credential-steps.ts',
];
