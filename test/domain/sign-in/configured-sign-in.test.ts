import { expect } from 'chai';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { readablePath } from '../../../domain/foundation/field-paths.ts';
import { configuredSignIn } from '../../../domain/sign-in/configured-sign-in.ts';
import { chooseProfile } from '../../../domain/sign-in/profile-choice.ts';
import type { WrittenClaim } from '../../../domain/sign-in/written-sign-in.ts';
import { type Authentication, clientCredentials } from '../../actors/relying-party.ts';
import { cardProfile, clientOf, signInOf } from '../../actors/sign-in.ts';
import { testFormats } from '../../support/credentials/formats.ts';

const shop = await clientCredentials('client_secret_basic');
const jwt = await clientCredentials('private_key_jwt');
const [card, other] = [cardProfile(), cardProfile({ acr: 'urn:other', claims: {} })];
const reading = { formats: testFormats, issuer: 'https://op.example/sign-in' };

/** The field that is wrong. */
function problemOf(signIn: ReturnType<typeof signInOf>): string {
  try {
    configuredSignIn(signIn, reading);
    return '';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return readablePath(error.details?.[0]?.path ?? []);
  }
}

const withClient = (more: Parameters<typeof clientOf>[1], credentials = shop) =>
  problemOf(signInOf({ shop: clientOf(credentials, more) }));
const withProfile = (more: Parameters<typeof cardProfile>[0]) =>
  problemOf(signInOf({ shop: clientOf(shop) }, { card: cardProfile(more) }));

describe('the configuration of sign-ins', () => {
  it('is accepted', () => {
    expect(problemOf(signInOf({ shop: clientOf(shop), jwt: clientOf(jwt) }))).to.equal('');
    expect(withClient({ redirectUris: ['http://127.0.0.1:8080/callback', 'http://localhost/'] })).to.equal('');
  });

  it('redirect URIs are exact, without wildcards, fragments and credentials, and lead to https or to this machine', () => {
    for (const uri of [
      'http://shop.example.org/callback',
      'https://*.example.org/callback',
      'https://shop.example.org/callback#a',
      'https://a:b@shop.example.org/callback',
      'javascript:alert(1)',
      'shop.example.org',
    ]) {
      expect(withClient({ redirectUris: [uri] }), uri).to.equal('clients.shop.redirectUris[0]');
      expect(withClient({ postLogoutRedirectUris: [uri] }), uri).to.equal('clients.shop.postLogoutRedirectUris[0]');
    }
  });

  it('a client has what its way to authenticate needs, and nothing else', () => {
    const given = { secretDigest: shop.registered.secretDigest, jwks: jwt.registered.jwks };
    const needs: Record<Authentication, string[]> = {
      client_secret_basic: ['secretDigest'],
      client_secret_post: ['secretDigest'],
      private_key_jwt: ['jwks'],
      none: [],
    };
    for (const [authentication, needed] of Object.entries(needs) as [Authentication, string[]][])
      for (const name of ['secretDigest', 'jwks'] as const) {
        const other = name === 'jwks' ? 'secretDigest' : 'jwks';
        const more = {
          authentication,
          [name]: given[name],
          [other]: needed.includes(other) ? given[other] : undefined,
        };
        expect(withClient(more), `${authentication} ${name}`).to.equal(
          needed.includes(name) ? '' : `clients.shop.${name}`,
        );
      }
  });

  it('keys of clients are public', () => {
    const keys = [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' }];
    expect(withClient({ jwks: { keys } }, jwt)).to.equal('clients.shop.jwks.keys[0]');
  });

  it('profiles exist, and have names of their own', () => {
    expect(withClient({ profiles: ['none'] })).to.equal('clients.shop.profiles[0]');
    expect(problemOf(signInOf({}, { openid: card }))).to.equal('profiles.openid');
    expect(problemOf(signInOf({}, { email: card }))).to.equal('profiles.email');
  });

  it('claims and subjects are from queries of the profile, and no claim replaces one of the provider', () => {
    const [claim] = Object.values(card.claims);
    if (!claim) throw new Error('The profile has a claim');
    expect(withProfile({ claims: { name: { ...claim, query: 'none' } } })).to.equal('profiles.card.claims.name.query');
    expect(withProfile({ claims: { sub: claim } })).to.equal('profiles.card.claims.sub');
    expect(withProfile({ claims: { verified_claims: claim } })).to.equal('profiles.card.claims.verified_claims');
    const values = [{ query: 'none', path: ['a'] }];
    expect(withProfile({ subject: { ...card.subject, values } })).to.equal('profiles.card.subject.values[0].query');
    const two = [...card.subject.values, ...card.subject.values];
    expect(withProfile({ subject: { ...card.subject, kind: 'plain', values: two } })).to.equal(
      'profiles.card.subject.values',
    );
  });

  it('a profile names the issuers that it believes, or says that it believes any', () => {
    expect(withProfile({ issuers: 'named' })).to.equal('profiles.card.issuers');
    for (const policy of ['allowed-issuer', 'etsi-trust-list', 'vical'])
      expect(withProfile({ issuers: 'named', policies: [{ policy }] }), policy).to.equal('');
    expect(withProfile({ issuers: 'named', policies: ['expired'] })).to.equal('profiles.card.issuers');
    const [asked] = (card.dcqlQuery as { credentials: object[] }).credentials;
    const trusted = { ...asked, trusted_authorities: [{ type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }] };
    expect(withProfile({ issuers: 'named', dcqlQuery: { credentials: [trusted] } })).to.equal('');
    const both = { credentials: [trusted, { ...asked, id: 'second' }] };
    expect(withProfile({ issuers: 'named', dcqlQuery: both })).to.equal('profiles.card.issuers');
  });

  it('a profile asks by a query or by a definition, whose claims name its descriptors', () => {
    const { dcqlQuery } = card;
    const descriptor = (more: object = {}) => ({ id: 'card', format: { 'dc+sd-jwt': {} }, ...more });
    const by = (descriptors: object[], more: Parameters<typeof cardProfile>[0] = {}) =>
      withProfile({ dcqlQuery: undefined, presentationDefinition: { input_descriptors: descriptors }, ...more });
    expect(by([descriptor()])).to.equal('');
    expect(withProfile({ dcqlQuery: undefined })).to.equal('profiles.card');
    expect(by([descriptor()], { dcqlQuery })).to.equal('profiles.card.presentationDefinition');
    expect(by([descriptor({ id: 'other' })])).to.equal('profiles.card.claims.family_name.query');
    const place = 'profiles.card.presentationDefinition.input_descriptors[0]';
    expect(by([descriptor({ format: { ldp_vc: {} } })])).to.equal(`${place}.format`);
    expect(by([descriptor({ constraints: { fields: [{ path: [] }] } })])).to.equal(
      `${place}.constraints.fields[0].path`,
    );
    expect(by([descriptor()], { flows: ['cross_device', 'dc_api'] })).to.equal('profiles.card.flows[1]');
    expect(by([descriptor()], { haip: true })).to.equal('profiles.card.haip');
    expect(by([descriptor()], { issuers: 'named' })).to.equal('profiles.card.issuers');
    const policies = [{ policy: 'allowed-issuer' }];
    expect(by([descriptor()], { issuers: 'named', policies })).to.equal('');
  });

  it('holders prove that they are the holders', () => {
    const [asked] = (card.dcqlQuery as { credentials: object[] }).credentials;
    const dcqlQuery = { credentials: [{ ...asked, require_cryptographic_holder_binding: false }] };
    const field = 'profiles.card.dcqlQuery.credentials[0].require_cryptographic_holder_binding';
    expect(withProfile({ dcqlQuery })).to.equal(field);
  });
});

describe('the login profile of a request', () => {
  const email: WrittenClaim = { query: 'card', path: ['email'], required: false, transform: 'none', list: false };
  const mail = cardProfile({ acr: 'urn:mail', claims: { ...card.claims, email } });
  const { clients } = configuredSignIn(
    signInOf({ shop: clientOf(shop, { profiles: ['card', 'other', 'mail'] }) }, { card, other, mail }),
    reading,
  );
  const chosen = (asked: Parameters<typeof chooseProfile>[1]): string | undefined => {
    const client = clients.get('shop');
    return client && chooseProfile(client, asked).id;
  };

  it('is the first that acr_values names, else a scope, else one with all claims, else the first of the client', () => {
    expect(chosen({})).to.equal('card');
    expect(chosen({ scope: 'openid other' })).to.equal('other');
    expect(chosen({ scope: 'openid other', acrValues: 'urn:none card urn:other' })).to.equal('card');
    expect(chosen({ scope: 'openid', acrValues: 'urn:other card' })).to.equal('other');
    const byClaims = (claims: object, more: object = {}) => chosen({ claims: JSON.stringify(claims), ...more });
    expect(byClaims({ userinfo: { family_name: null, email: null } })).to.equal('mail');
    expect(byClaims({ id_token: { email: null }, userinfo: { family_name: null } })).to.equal('mail');
    expect(byClaims({ id_token: { email: { essential: true } } })).to.equal('mail');
    expect(byClaims({ userinfo: { family_name: null } })).to.equal('card');
    expect(byClaims({ userinfo: { unknown: null } })).to.equal('card');
    expect(byClaims({ id_token: { email: null } }, { scope: 'openid other' })).to.equal('other');
    expect(byClaims({ id_token: { email: null } }, { acrValues: 'urn:other' })).to.equal('other');
  });
});
