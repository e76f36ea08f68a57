{{/*
SPDX-License-Identifier: Apache-2.0

Loupe's agent in the pods of a chart that has this one among its dependencies. Each template takes a dict:

  image       an image that has cp, and the agent below /usr/lib/loupe: loupe-agent:VERSION
  collector   tcp://HOST:PORT or tls+tcp://HOST:PORT, or a list of these: the agent is at one of them, and goes to another
  service     the name under which recordings are listed
  tokenSecret the Secret whose key "agents-token" is the token; none without
  caSecret    the Secret whose key "ca.crt" is the authority of the collector's certificate; none without
  libc        musl where the application's image has that C library (Alpine); glibc without
  options     further options of the agent, "maxspool=256m" say; none without
  javaOptions what JAVA_TOOL_OPTIONS has besides, for the variable replaces that of the image; none without
*/}}

{{- define "loupe-agent.initContainer" -}}
- name: loupe-agent
  image: {{ required "loupe-agent: image" .image | quote }}
  command: [cp, -r, /usr/lib/loupe/., /opt/loupe/]
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    runAsNonRoot: true
    seccompProfile: { type: RuntimeDefault }
    capabilities:
      drop: [ALL]
  resources:
    requests: { cpu: 10m, memory: 16Mi }
    limits: { memory: 32Mi }
  volumeMounts:
    - { name: loupe-agent, mountPath: /opt/loupe }
{{- end }}

{{- define "loupe-agent.volumes" -}}
- name: loupe-agent
  emptyDir: { sizeLimit: 32Mi }
{{- if .tokenSecret }}
- name: loupe-token
  secret:
    secretName: {{ .tokenSecret }}
    items:
      - { key: agents-token, path: token }
{{- end }}
{{- if .caSecret }}
- name: loupe-ca
  secret:
    secretName: {{ .caSecret }}
    items:
      - { key: ca.crt, path: ca.crt }
{{- end }}
{{- end }}

{{- define "loupe-agent.volumeMounts" -}}
- { name: loupe-agent, mountPath: /opt/loupe, readOnly: true }
{{- if .tokenSecret }}
- { name: loupe-token, mountPath: /etc/loupe/token, readOnly: true }
{{- end }}
{{- if .caSecret }}
- { name: loupe-ca, mountPath: /etc/loupe/ca, readOnly: true }
{{- end }}
{{- end }}

{{- define "loupe-agent.env" -}}
- name: JAVA_TOOL_OPTIONS
  value: >-
    {{ with .javaOptions }}{{ . }} {{ end -}}
    -agentpath:/opt/loupe/{{ if eq (default "glibc" .libc) "musl" }}musl/{{ end }}libloupe.so=collector={{ join ",collector=" (required "loupe-agent: collector" .collector) }},service={{ required "loupe-agent: service" .service }}
    {{- if .tokenSecret }},token=@/etc/loupe/token/token{{ end }}
    {{- if .caSecret }},ca=/etc/loupe/ca/ca.crt{{ end }}
    {{- with .options }},{{ . }}{{ end }}
{{- end }}
