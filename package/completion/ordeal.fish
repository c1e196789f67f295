# Completion of ordeal's verbs and options in fish.
complete -c ordeal -n __fish_use_subcommand -f -l help -d 'Print help'
complete -c ordeal -n __fish_use_subcommand -f -l version -d 'Print the version'
@fish@
