import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { draftIssuer, v1Issuer } from '../../../composition/services/issuers.ts';
import { onboard } from '../../../demo/actors/issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { useServer } from '../../support/servers/server.ts';

const OPERATIONS = {
  getDraft13CredentialType: {
    version: 'draft13',
    issuerOf: (described: Parameters<typeof v1Issuer>[0]) => draftIssuer(described, 'draft13'),
  },
  getFinalCredentialType: { version: 'openid4vci', issuerOf: v1Issuer },
};

const sri = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

describe('credential types', () => {
  const server = useServer();

  for (const [operationId, { version, issuerOf }] of Object.entries(OPERATIONS))
    describe(operationId, () => {
      it('200: at the URL that is the type, and at its well-known form', async () => {
        const vct = `${server.url}/${version}/identity_credential`;
        const own = await server.call(operationId, { path: { type: 'identity_credential' } });
        expect([own.status, own.body.vct]).to.deep.equal([200, vct]);
        const wellKnown = await server.call('getCredentialType', { path: { version, type: 'identity_credential' } });
        expect(wellKnown.body).to.deep.equal(own.body);
        expect(own.headers.get('content-type')).to.match(/^application\/json/);
      });

      it('404: unknown', async () => {
        expect((await server.call(operationId, { path: { type: 'Unknown' } })).status).to.equal(404);
      });

      it('200: of every SD-JWT VC in the metadata, and our wallet reads it with its digest', async () => {
        const user = await newWalletUser(server);
        const { configurations } = issuerOf({
          settings: server.settings,
          formats: testFormats,
          schemas: new CallerSchemas(),
          pems: nodePemKeys,
          certificates: new NodeCertificates(),
        });
        const types = [...configurations.values()].flatMap(({ format, type = '' }) =>
          format.endsWith('sd-jwt') ? [type] : [],
        );
        expect(types.length).to.be.greaterThan(30);
        for (const vct of types) {
          const name = encodeURIComponent(vct.startsWith(server.url) ? vct.replace(/^.*\//, '') : vct);
          const reply = await fetch(`${server.url}/.well-known/vct/${version}/${name}`);
          const text = await reply.text();
          expect([reply.status, JSON.parse(text).vct]).to.deep.equal([200, vct]);
          if (!vct.startsWith(server.url)) continue;
          const integrity = sri(text);
          const { status, body } = await user.call('resolveTypeMetadata', {
            query: { vct, 'vct#integrity': integrity },
          });
          expect([status, body.vct], vct).to.deep.equal([200, vct]);
        }
      });
    });

  describe('getCredentialType', () => {
    it('200: also of a type that is not a URL of this server', async () => {
      const { status, body } = await server.call('getCredentialType', {
        path: { version: 'openid4vci', type: 'urn:eudi:pid:1' },
      });
      expect([status, body.vct]).to.deep.equal([200, 'urn:eudi:pid:1']);
    });

    it('404: an unknown type, a document type of an mdoc, and an unknown issuer', async () => {
      const unknown: [string, string][] = [
        ['draft13', 'Unknown'],
        ['draft13', 'org.iso.18013.5.1.mDL'],
        ['draft12', 'identity_credential'],
        ['constructor', 'identity_credential'],
      ];
      for (const [version, type] of unknown)
        expect((await server.call('getCredentialType', { path: { version, type } })).status, type).to.equal(404);
    });
  });

  it('a credential may name the digest of its type, and the wallet finds the metadata by it', async () => {
    const holder = await newWalletUser(server);
    const vct = `${server.url}/draft13/identity_credential`;
    const integrity = sri(await (await fetch(vct)).text());
    const { issuerKey } = await onboard(server, { key: { keyType: 'secp256r1' } });
    const { body: text } = await server.call('issueSdJwtCredential', {
      json: { issuerKey, vct, credentialData: { given_name: 'Ada', 'vct#integrity': integrity } },
    });
    const [received] = (await holder.call('acceptCredentialOffer', { text })).body;
    expect(received.parsedDocument).to.include({ vct, 'vct#integrity': integrity });
    const query = { vct, 'vct#integrity': received.parsedDocument['vct#integrity'] };
    expect((await holder.call('resolveTypeMetadata', { query })).body.name).to.equal('Identity Credential');
  });

  it('does not answer for paths of the protocol: another method there is a 405 with theirs', async () => {
    for (const path of ['/draft13/token', '/draft13/credential', '/openid4vci/token', '/openid4vci/nonce']) {
      const { status, headers } = await server.fetch(path);
      expect([status, headers.get('allow')], path).to.deep.equal([405, 'POST, OPTIONS']);
    }
    expect((await server.fetch('/draft13/jwks')).body).to.have.property('keys');
    expect((await server.fetch('/draft13/token/')).status).to.equal(404);
  });
});
