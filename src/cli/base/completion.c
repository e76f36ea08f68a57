// SPDX-License-Identifier: Apache-2.0
#include "cli/base/completion.h"

#include "cli/base/options.h"

#include <ctype.h>
#include <string.h>

// What an argument of an option is completed with.
typedef enum completed {
    COMPLETED_NOT,
    COMPLETED_FILES,
    COMPLETED_FOLDERS,
    COMPLETED_WORDS,
} completed;

static completed
completed_of(const options_known *option)
{
    return option->choices != NULL                     ? COMPLETED_WORDS
           : strncmp(option->argument, "FILE", 4) == 0 ? COMPLETED_FILES
           : strncmp(option->argument, "DIR", 3) == 0  ? COMPLETED_FOLDERS
                                                       : COMPLETED_NOT;
}

// has_words returns whether the operand of a command begins with one of a few words; NULL: it has
// none.
static bool
has_words(const char *operand)
{
    return operand != NULL &&
           (islower((unsigned char)operand[0]) || strcmp(operand, "COMMAND") == 0);
}

// has_files returns whether files are operands of a command, behind such a word where it has one.
static bool
has_files(const char *operand)
{
    return operand != NULL && (!has_words(operand) || strstr(operand, "FILE") != NULL);
}

static void
print_commands(FILE *out)
{
    for (options_command command = 0; command < OPTIONS_program; command++) {
        (void)fprintf(out, "%s%s", command == 0 ? "" : " ", options_about_command(command).name);
    }
}

// print_operands writes the words that an operand can be: commands, or the first word of each of
// its alternatives.
static void
print_operands(FILE *out, const char *operand)
{
    if (strcmp(operand, "COMMAND") == 0) {
        print_commands(out);
        return;
    }
    for (const char *at = operand; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        (void)fprintf(out, "%s%.*s", at == operand ? "" : " ", (int)strcspn(at, " |"), at);
    }
}

// print_choices writes the choices of an option; nothing if choices is NULL.
static void
print_choices(FILE *out, const char *const *choices)
{
    for (size_t i = 0; choices != NULL && choices[i] != NULL; i++) {
        (void)fprintf(out, "%s%s", i == 0 ? "" : " ", choices[i]);
    }
}

void
completion_shorten(const char *help, char out_text[COMPLETION_SHORT_BYTES])
{
    static const char cut[] = "...";
    size_t room = COMPLETION_SHORT_BYTES - sizeof(cut);
    size_t len = strcspn(help, ";:.(");
    while (help[len] == '.' && help[len + 1] != ' ' && help[len + 1] != '\0') { // in a name
        len += 1 + strcspn(help + len + 1, ";:.(");
    }
    while (len > 0 && help[len - 1] == ' ') {
        len--;
    }
    bool is_cut = len > room;
    while (is_cut && (len > room || help[len] != ' ')) {
        len--;
    }
    (void)snprintf(out_text, COMPLETION_SHORT_BYTES, "%.*s%s", (int)len, help, is_cut ? cut : "");
}

// print_quoted writes text for the inside of '...', with a \ before each character of special.
static void
print_quoted(FILE *out, const char *text, const char *special, const char *quote)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            (void)fputs(quote, out);
        } else {
            (void)fprintf(out, "%s%c", strchr(special, *text) == NULL ? "" : "\\", *text);
        }
    }
}

// --- bash

// print_bash_names writes the patterns of a case: the command with each name of the option.
static void
print_bash_names(FILE *out, const char *command, const options_known *option)
{
    (void)fprintf(out, "    \"%s --%s\"", command, option->name);
    if (option->letter != 0) {
        (void)fprintf(out, " | \"%s -%c\"", command, option->letter);
    }
    (void)fputs(") ", out);
}

static void
print_bash_arguments(FILE *out, options_command command)
{
    static const char *const begins[] = {
        [COMPLETED_NOT] = "return",
        [COMPLETED_FILES] = "compopt -o default && return",
        [COMPLETED_FOLDERS] = "compopt -o dirnames && return",
        [COMPLETED_WORDS] = "words='",
    };
    options_known option;
    for (size_t at = 0; options_next(command, &at, &option);) {
        if (option.argument == NULL) {
            continue;
        }
        print_bash_names(out, options_about_command(command).name, &option);
        (void)fputs(begins[completed_of(&option)], out);
        print_choices(out, option.choices);
        (void)fputs(option.choices == NULL ? " ;;\n" : "' ;;\n", out);
    }
}

static void
print_bash_options(FILE *out, options_command command)
{
    options_known option;
    for (size_t at = 0; options_next(command, &at, &option);) {
        (void)fprintf(out, "--%s ", option.name);
        if (option.letter != 0) {
            (void)fprintf(out, "-%c ", option.letter);
        }
    }
}

// print_bash_words writes the operands and the options of a command.
static void
print_bash_words(FILE *out, options_command command)
{
    bool is_program = command == OPTIONS_program;
    const char *operand = is_program ? "COMMAND" : options_about_command(command).operand;
    (void)fprintf(
        out, "        '%s') options='", is_program ? "" : options_about_command(command).name);
    print_bash_options(out, command);
    (void)fputs("' operands='", out);
    if (has_words(operand)) {
        print_operands(out, operand);
    }
    (void)fprintf(out, "'%s ;;\n", has_files(operand) ? " files=yes" : "");
}

void
completion_print_bash(FILE *out)
{
    (void)fputs("# Completes loupe in bash; made by `loupe completion bash`.\n"
                "_loupe() {\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))\n"
                "    local command= options= operands= files= words= i\n"
                "    COMPREPLY=()\n"
                "    ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n"
                "    if [[ $cur == = ]]; then\n"
                "        cur=\n"
                "    elif [[ ${COMP_WORDS[at]} == = ]]; then\n"
                "        at=$((at - 1))\n"
                "    fi\n"
                "    case \"$command ${COMP_WORDS[at]}\" in\n",
        out);
    for (options_command command = 0; command < OPTIONS_program; command++) {
        print_bash_arguments(out, command);
    }
    (void)fputs("    *)\n"
                "        case \"$command\" in\n",
        out);
    for (options_command command = 0; command <= OPTIONS_program; command++) {
        print_bash_words(out, command);
    }
    (void)fputs("        esac\n"
                "        if [[ $cur == -* ]]; then\n"
                "            words=$options\n"
                "        else\n"
                "            words=$operands\n"
                "            for ((i = 2; i < COMP_CWORD; i++)); do\n"
                "                [[ \" $operands \" == *\" ${COMP_WORDS[i]} \"* ]] && words=\n"
                "            done\n"
                "            [[ $files && ! $words ]] && compopt -o default\n"
                "        fi\n"
                "        ;;\n"
                "    esac\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                "}\n"
                "complete -F _loupe loupe\n",
        out);
}

// --- zsh

static void
print_zsh_text(FILE *out, const char *help)
{
    char text[COMPLETION_SHORT_BYTES];
    completion_shorten(help, text);
    print_quoted(out, text, "[]:\\", "'\\''");
}

static void
print_zsh_argument(FILE *out, const options_known *option)
{
    static const char *const begins[] = {
        [COMPLETED_NOT] = ": ",
        [COMPLETED_FILES] = ":_files",
        [COMPLETED_FOLDERS] = ":_files -/",
        [COMPLETED_WORDS] = ":(",
    };
    (void)fputc(':', out);
    print_quoted(out, option->argument, "[]:\\", "'\\''");
    (void)fputs(begins[completed_of(option)], out);
    print_choices(out, option->choices);
    (void)fputs(option->choices == NULL ? "" : ")", out);
}

static void
print_zsh_options(FILE *out, options_command command, const char *indent)
{
    options_known option;
    for (size_t at = 0; options_next(command, &at, &option);) {
        const char *sign = option.argument == NULL ? "" : "=";
        (void)fputs(indent, out);
        if (option.letter == 0) {
            (void)fprintf(out, "'%s--%s%s[", option.is_repeated ? "*" : "", option.name, sign);
        } else {
            (void)fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'[", option.letter, option.name,
                option.letter, option.name, sign);
        }
        print_zsh_text(out, option.help);
        (void)fputc(']', out);
        if (option.argument != NULL) {
            print_zsh_argument(out, &option);
        }
        (void)fputs("' \\\n", out);
    }
}

static void
print_zsh_command(FILE *out, options_command command)
{
    const options_about about = options_about_command(command);
    (void)fprintf(out, "        %s)\n            _arguments -s \\\n", about.name);
    print_zsh_options(out, command, "                ");
    if (has_words(about.operand)) {
        (void)fputs("                '1: :(", out);
        print_operands(out, about.operand);
        (void)fputs(")' \\\n", out);
    }
    (void)fprintf(out, "                %s;;\n", has_files(about.operand) ? "'*: :_files' " : "");
}

void
completion_print_zsh(FILE *out)
{
    (void)fputs("#compdef loupe\n"
                "# Completes loupe in zsh; made by `loupe completion zsh`.\n"
                "_loupe() {\n"
                "    local context state state_descr line\n"
                "    typeset -A opt_args\n"
                "    local -a commands=(\n",
        out);
    for (options_command command = 0; command < OPTIONS_program; command++) {
        const options_about about = options_about_command(command);
        (void)fprintf(out, "        '%s:", about.name);
        print_quoted(out, about.purpose, "\\", "'\\''");
        (void)fputs("'\n", out);
    }
    (void)fputs("    )\n"
                "    _arguments -C \\\n",
        out);
    print_zsh_options(out, OPTIONS_program, "        ");
    (void)fputs("        '1: :->command' \\\n"
                "        '*:: :->rest' && return\n"
                "    case $state in\n"
                "    command) _describe -t commands command commands ;;\n"
                "    rest)\n"
                "        case $words[1] in\n",
        out);
    for (options_command command = 0; command < OPTIONS_program; command++) {
        print_zsh_command(out, command);
    }
    (void)fputs("        esac ;;\n"
                "    esac\n"
                "}\n"
                "if [[ $funcstack[1] == _loupe ]]; then\n"
                "    _loupe \"$@\"\n"
                "else\n"
                "    compdef _loupe loupe\n"
                "fi\n",
        out);
}

// --- fish

static void
print_fish_text(FILE *out, const char *help)
{
    char text[COMPLETION_SHORT_BYTES];
    completion_shorten(help, text);
    (void)fputs(" -d '", out);
    print_quoted(out, text, "\\", "\\'");
    (void)fputs("'\n", out);
}

static void
print_fish_options(FILE *out, options_command command, const char *condition)
{
    options_known option;
    for (size_t at = 0; options_next(command, &at, &option);) {
        (void)fprintf(out, "complete -c loupe -n '%s' -l %s", condition, option.name);
        if (option.letter != 0) {
            (void)fprintf(out, " -s %c", option.letter);
        }
        completed what = option.argument == NULL ? COMPLETED_NOT : completed_of(&option);
        if (what == COMPLETED_WORDS) {
            (void)fputs(" -x -a '", out);
            print_choices(out, option.choices);
            (void)fputc('\'', out);
        } else if (what == COMPLETED_FOLDERS) {
            (void)fputs(" -x -a '(__fish_complete_directories)'", out);
        } else if (option.argument != NULL) {
            (void)fputs(what == COMPLETED_FILES ? " -r" : " -x", out);
        }
        print_fish_text(out, option.help);
    }
}

static void
print_fish_operands(FILE *out, const char *operand, const char *condition)
{
    if (!has_files(operand)) {
        (void)fprintf(out, "complete -c loupe -n '%s' -f\n", condition);
    }
    if (has_words(operand)) {
        (void)fprintf(out, "complete -c loupe -n '%s", condition);
        if (has_files(operand)) { // which are completed once the word is there
            (void)fputs("; and not __fish_seen_subcommand_from ", out);
            print_operands(out, operand);
        }
        (void)fputs("' -f -a '", out);
        print_operands(out, operand);
        (void)fputs("'\n", out);
    }
}

static void
print_fish_command(FILE *out, options_command command)
{
    char condition[80];
    const options_about about = options_about_command(command);
    (void)snprintf(condition, sizeof(condition), "__fish_seen_subcommand_from %s", about.name);
    (void)fprintf(out, "complete -c loupe -n __fish_use_subcommand -f -a %s", about.name);
    print_fish_text(out, about.purpose);
    print_fish_operands(out, about.operand, condition);
    print_fish_options(out, command, condition);
}

void
completion_print_fish(FILE *out)
{
    (void)fputs("# Completes loupe in fish; made by `loupe completion fish`.\n", out);
    print_fish_options(out, OPTIONS_program, "__fish_use_subcommand");
    for (options_command command = 0; command < OPTIONS_program; command++) {
        print_fish_command(out, command);
    }
}
