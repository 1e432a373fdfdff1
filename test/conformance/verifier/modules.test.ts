import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { crossDevice, Openid4vp, type ReadRequest, readLink } from '../../actors/openid4vp.ts';
import { iaca } from '../../support/credentials/mdoc-issuer.ts';
import { useServer } from '../../support/servers/server.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';
import { type Change, corrupted, FORMATS } from './credentials.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups have any member
type Json = Record<string, any>;
type Format = keyof typeof FORMATS;

/** One combination of the plans. */
interface Variant {
  format: Format;
  prefix: 'redirect_uri' | 'x509_san_dns' | 'x509_hash';
  method: 'url_query' | 'request_uri_signed';
  mode: 'direct_post' | 'direct_post.jwt';
  profile: 'plain_vp' | 'haip';
}

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
/** Requests of redirect_uri: are never signed, those of the other prefixes always. */
const VARIANTS: Variant[] = FORMAT_NAMES.flatMap((format) => [
  ...(['redirect_uri', 'x509_san_dns', 'x509_hash'] as const).flatMap((prefix) =>
    (['direct_post', 'direct_post.jwt'] as const).map((mode): Variant => {
      const method = prefix === 'redirect_uri' ? 'url_query' : 'request_uri_signed';
      return { format, prefix, method, mode, profile: 'plain_vp' };
    }),
  ),
  { format, prefix: 'x509_hash', method: 'request_uri_signed', mode: 'direct_post.jwt', profile: 'haip' },
]);

interface Module {
  name: string;
  formats: readonly Format[];
  isAccepted: boolean;
  change?: (nowMs: number) => Change;
  /** How often, and how, the wallet fetches a request by reference. */
  fetches?: 'twice' | 'post';
}

/** The SD-JWT without its key binding has its end at the last tilde. */
const atSdJwt = (change: (sdJwt: string) => string) => (token: string) => {
  const [jwt = '', ...rest] = token.split('~');
  return [change(jwt), ...rest].join('~');
};
const atBinding = (change: (binding: string) => string) => (token: string) => {
  const end = token.lastIndexOf('~') + 1;
  return `${token.slice(0, end)}${change(token.slice(end))}`;
};
const SD_JWT = ['sd_jwt_vc'] as const;
const BOTH = FORMAT_NAMES;

/** The modules of `oid4vp-1final-verifier-*` by what follows this name. */
const MODULES: Module[] = [
  { name: 'happy-flow', formats: BOTH, isAccepted: true },
  { name: 'minimal-cnf-jwk', formats: SD_JWT, isAccepted: true, change: () => ({ isMinimal: true }) },
  { name: 'request-uri-method-post', formats: BOTH, isAccepted: true, fetches: 'post' },
  { name: 'request-uri-fetched-twice', formats: BOTH, isAccepted: true, fetches: 'twice' },
  {
    name: 'invalid-credential-signature',
    formats: SD_JWT,
    isAccepted: false,
    change: () => ({ token: atSdJwt((jwt) => corrupted(jwt, 2)) }),
  },
  {
    name: 'invalid-kb-jwt-signature',
    formats: SD_JWT,
    isAccepted: false,
    change: () => ({ token: atBinding((jwt) => corrupted(jwt, 2)) }),
  },
  { name: 'invalid-kb-jwt-nonce', formats: SD_JWT, isAccepted: false, change: () => ({ binding: { nonce: 'x' } }) },
  { name: 'invalid-kb-jwt-aud', formats: SD_JWT, isAccepted: false, change: () => ({ binding: { aud: 'x' } }) },
  {
    name: 'kb-jwt-iat-in-past',
    formats: SD_JWT,
    isAccepted: false,
    change: (now) => ({ binding: { iat: Math.floor(now / 1000) - 86_400 } }),
  },
  {
    name: 'kb-jwt-iat-in-future',
    formats: SD_JWT,
    isAccepted: false,
    change: (now) => ({ binding: { iat: Math.floor(now / 1000) + 86_400 } }),
  },
  { name: 'invalid-sd-hash', formats: SD_JWT, isAccepted: false, change: () => ({ binding: { sd_hash: 'x' } }) },
  {
    name: 'invalid-session-transcript',
    formats: ['iso_mdl'],
    isAccepted: false,
    change: () => ({ transcriptNonce: 'another' }),
  },
];

describe('The verifier modules of the OpenID conformance suite', () => {
  const server = useServer({ settings: { trustedIssuers: { certificates: [iaca.pem] } } });
  let vp: Openid4vp;
  let certified: Awaited<ReturnType<typeof certifiedKey>>;
  before(async () => {
    vp = await Openid4vp.with(server);
    certified = await certifiedKey();
  });

  it('are run in 14 variants, of which 2 are of HAIP: 15 modules there', () => {
    expect(VARIANTS).to.have.length(14);
    const haip = VARIANTS.filter(({ profile }) => profile === 'haip');
    const count = haip.flatMap(({ format }) => MODULES.filter(({ formats }) => formats.includes(format))).length;
    expect([haip.length, count]).to.deep.equal([2, 15]);
  });

  function setupOf({ format, prefix, method, mode, profile }: Variant): Json {
    const { key, x5c, sanDns, hash } = certified;
    const clientId = prefix === 'x509_hash' ? hash : sanDns;
    const signed = method === 'request_uri_signed' ? { signed_request: true, key, x5c, clientId } : {};
    const core = { dcql_query: FORMATS[format].query, encrypted_response: mode === 'direct_post.jwt', ...signed };
    const redirects = { success_redirect_uri: 'https://verifier.example.com/done' };
    return crossDevice(core, { redirects, haip: profile === 'haip' });
  }

  /** Fetches the request as the module does. */
  async function requestOf(created: Json, fetches: Module['fetches']): Promise<ReadRequest> {
    const { requestId } = readLink(created.bootstrapAuthorizationRequestUrl);
    const isSigned = created.fullAuthorizationRequestUrl === undefined;
    if (fetches === 'twice') await vp.fetch(requestId);
    if (!isSigned || fetches !== 'post') return vp.request(created);
    const form = { wallet_nonce: 'conformance', wallet_metadata: '{}' };
    const { body } = await server.call('postAuthorizationRequest', { path: { requestId }, form });
    const parameters = decodeJwt(body);
    expect(parameters.wallet_nonce).to.equal('conformance');
    return { parameters, requestId };
  }

  for (const variant of VARIANTS) {
    const { format, prefix, method, mode, profile } = variant;
    describe([format, prefix, method, mode, profile].join(' '), () => {
      for (const { name, formats, isAccepted, change = () => ({}), fetches } of MODULES.filter((one) =>
        one.formats.includes(format),
      ))
        it(`oid4vp-1final-verifier-${name}: ${isAccepted ? 'accepted' : 'rejected'}`, async () => {
          expect(formats).to.include(format);
          const created = await vp.create(setupOf(variant));
          const request = await requestOf(created, fetches);
          expect(request.parameters.response_mode).to.equal(mode);
          const now = server.clock.now();
          const token = await FORMATS[format].present(request, change(now), now);
          const [{ id }] = FORMATS[format].query.credentials;
          const answer = await vp.respond(request, { vp_token: { [id]: [token] }, state: request.parameters.state });
          const { status, failure } = await vp.info(created);
          expect([answer.status, status], JSON.stringify([answer.body, failure])).to.deep.equal(
            isAccepted ? [200, 'SUCCESSFUL'] : [400, 'FAILED'],
          );
          expect(answer.body.redirect_uri !== undefined).to.equal(isAccepted);
        });
    });
  }
});
