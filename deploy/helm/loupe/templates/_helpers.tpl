{{/* SPDX-License-Identifier: Apache-2.0 */}}
{{- define "loupe.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "loupe.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "loupe.labels" -}}
{{ include "loupe.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "loupe.tokensSecret" -}}
{{ .Values.tokens.existingSecret | default (printf "%s-tokens" (include "loupe.name" .)) }}
{{- end }}

{{/* "true" where collectors can share what they have. */}}
{{- define "loupe.isShared" -}}
{{ and (ne .Values.store.url "") (ne .Values.catalog.existingSecret "") }}
{{- end }}

{{- define "loupe.scheme" -}}
{{ ternary "HTTPS" "HTTP" (ne .Values.tls.existingSecret "") }}
{{- end }}
